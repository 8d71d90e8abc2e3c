//! That there is a real node wherever there can be one.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Fails where the kernel refuses NAT in a network of one's own; a lack of iptables is for the set-up to mend.
const NAT: &str = "! command -v iptables || iptables --table nat --list --numeric";

/// Whether this machine has all that a real node takes, besides what `testbed/setup.sh real-node` brings: Linux, root,
/// containerd, TUN, and namespaces of one's own.
fn allows_a_real_node() -> bool {
    let succeeds = |program: &str, arguments: &[&str]| {
        let trial = Command::new(program).args(arguments).stdin(Stdio::null()).output();
        trial.is_ok_and(|output| output.status.success())
    };
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
        && Path::new("/dev/net/tun").exists()
        && succeeds("containerd", &["--version"])
        && succeeds("unshare", &["--net", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", NAT])
}

#[tokio::test]
async fn there_is_a_real_node_where_the_machine_allows_one() {
    // Else each test that needs one would say nothing, and count as passed.
    let is_there = crate::cluster().await.is_some();
    assert!(is_there || !allows_a_real_node(), "standard error says why; try `testbed/setup.sh real-node`");
}
