//! A real node beside the simulated one, where the machine allows it: kubelet, containerd, runc and kube-proxy.
//!
//! All of it lives in network, mount and PID namespaces of its own (`testbed/node/init.sh`), so that clusters stand
//! side by side, and what it sets up ends with its first process: the kernel itself takes the interfaces, the rules,
//! the mounts and the containers away. slirp carries its traffic without a change to the machine's own network.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use k8s_openapi::api::core::v1::Node;
use kube::{Api, Client};
use serde_json::{Value, json};

use super::identity::User;
use super::start::{Start, free_ports, is_ready};
use crate::Error;
use crate::program::Program;
use crate::tools::{KUBE_PROXY, KUBELET};

/// The node's name. The API server asks it for logs under this name, on the loopback interface.
const NAME: &str = "localhost";

/// The machine's loopback interface, as slirp shows it to the node and its pods.
pub(super) const LOOPBACK_FROM_PODS: &str = "10.0.2.2";

const INIT: &str = include_str!("../../node/init.sh");

/// Becomes `unshare`, whose number the others need in order to find the namespaces.
const NAMESPACES: &str = r#"
echo $$ >node/pid
exec unshare --net --mount --pid --fork --kill-child --mount-proc "$@"
"#;

/// Waits for the namespaces, notes the one of the processes for the janitor, and becomes slirp.
const NETWORK: &str = r#"
until read -r pid <node/pid && [ "$(readlink "/proc/$pid/ns/net")" != "$(readlink /proc/self/ns/net)" ] &&
  readlink "/proc/$pid/ns/pid_for_children" >node/namespace; do sleep 0.05; done 2>/dev/null
exec slirp4netns --configure --mtu 65520 --api-socket node/slirp.sock "$pid" tap0
"#;

/// The kernel ends the namespaces' processes soon after their first one, not at once; their cgroups stay until somebody
/// removes them, which only works when they are empty.
const JANITOR: &str = r#"
read -r _
namespace="$(cat "$1/node/namespace")"
for _ in $(seq 100); do
  if [ -z "$namespace" ] || [ -z "$(find /proc/[0-9]*/ns/pid -lname "$namespace" 2>/dev/null)" ]; then
    left=
    for folder in /sys/fs/cgroup/"$2" /sys/fs/cgroup/*/"$2"; do
      if [ -d "$folder" ]; then find "$folder" -depth -type d -exec rmdir {} + || left=yes; fi
    done
    if [ -z "$left" ]; then exit; fi
  fi
  sleep 0.1
done
"#;

/// The longest path of the data for which the sockets below it still have names short enough for the kernel.
const LONGEST_PATH: usize = 80;

const PROGRAMS: [&str; 11] = [
    "bash",
    "busybox",
    "containerd",
    "containerd-shim-runc-v2",
    "ctr",
    "ip",
    "iptables",
    "openssl",
    "runc",
    "slirp4netns",
    "unshare",
];

/// Where distributions keep the CNI plugins.
const PLUGINS: [&str; 2] = ["/usr/lib/cni", "/opt/cni/bin"];

/// What a real node is made of, all of it there; or a line that says why there can be none.
pub(super) fn parts(data: &Path) -> Option<Parts> {
    match Parts::find(data) {
        Ok(parts) => Some(parts),
        Err(reason) => {
            // Written past the test harness, which keeps what `eprintln` says of tests that pass.
            let _ = writeln!(std::io::stderr(), "testbed: no real node on this machine: {reason}");
            None
        }
    }
}

/// What a real node is made of.
pub(super) struct Parts {
    kubelet: PathBuf,
    kube_proxy: PathBuf,
    plugins: &'static str,
}

impl Parts {
    /// What is there, or in one line why this machine can have no real node.
    fn find(data: &Path) -> Result<Self, String> {
        if !cfg!(target_os = "linux") {
            return Err("it takes Linux".into());
        }
        if fs::metadata("/proc/self").map_or(true, |own| own.uid() != 0) {
            return Err("it takes root".into());
        }
        let plugins = PLUGINS.into_iter().find(|folder| Path::new(folder).join("ptp").is_file());
        let mut missing = PROGRAMS.into_iter().filter(|name| find(name).is_none()).collect::<Vec<_>>();
        let (kubelet, kube_proxy) = (KUBELET.find().ok(), KUBE_PROXY.find().ok());
        missing.extend(plugins.is_none().then_some("the CNI plugins"));
        missing.extend(kubelet.is_none().then_some("kubelet"));
        missing.extend(kube_proxy.is_none().then_some("kube-proxy"));
        let (Some(kubelet), Some(kube_proxy), Some(plugins), []) =
            (kubelet, kube_proxy, plugins, &missing[..])
        else {
            return Err(format!("not installed: {}; run `testbed/setup.sh real-node`", missing.join(", ")));
        };
        if data.as_os_str().len() > LONGEST_PATH {
            return Err(format!("the path {} is too long for its sockets", data.display()));
        }
        // They are hidden from the node by folders of its own.
        if ["/run", "/var/log"].iter().any(|hidden| data.starts_with(hidden)) {
            return Err(format!("its data cannot be in {}", data.display()));
        }
        if !Path::new("/dev/net/tun").exists() {
            return Err("the kernel has no /dev/net/tun".into());
        }
        // A container without privileges has a root that may do none of this.
        let trial = Command::new("unshare")
            .args(["--net", "--mount", "--pid", "--fork", "--mount-proc"])
            .args(["iptables", "--table", "nat", "--list", "--numeric"])
            .stdin(Stdio::null())
            .output();
        match trial.map_err(Error::from).and_then(|output| succeeded(&output)) {
            Ok(()) => Ok(Self { kubelet, kube_proxy, plugins }),
            Err(error) => Err(format!("namespaces or iptables are refused ({error})")),
        }
    }

    /// How the API server reaches the kubelet.
    pub(super) fn api_server_flags(&self, data: &Path) -> Result<Vec<(&'static str, String)>, Error> {
        // What the API server shows to the kubelet, which nobody else on this machine shall command.
        let output = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"])
            .args(["-days", "3650", "-subj", "/CN=kube-apiserver", "-addext", "extendedKeyUsage=clientAuth"])
            .args(["-keyout", "kubelet-client.key", "-out", "kubelet-client.crt"])
            .current_dir(data)
            .stdin(Stdio::null())
            .output()?;
        succeeded(&output)?;
        let file = |name: &str| data.join(name).display().to_string();
        Ok(vec![
            ("kubelet-client-certificate", file("kubelet-client.crt")),
            ("kubelet-client-key", file("kubelet-client.key")),
            ("kubelet-preferred-address-types", "Hostname".into()),
        ])
    }
}

impl Start {
    /// Adds the real node to a cluster whose API server and controllers run, and waits until it is ready.
    pub(super) async fn real_node(&mut self, parts: &Parts, admin: Client) -> Result<(), Error> {
        static STARTED: AtomicUsize = AtomicUsize::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let cgroup = format!("slipway-node-{}-{number}", std::process::id());
        let [port] = free_ports()?;
        let node = self.data.join("node");
        // Of a cluster whose data was kept; its processes are gone.
        for old in ["pid", "namespace", "slirp.sock"] {
            let _ = fs::remove_file(node.join(old));
        }
        fs::create_dir_all(&node)?;
        fs::write(node.join("init.sh"), INIT)?;
        fs::write(node.join("cgroup"), &cgroup)?;
        busybox_image(&node.join("busybox.tar"))?;

        let shell = Path::new("/bin/sh");
        let script = |text: &str, name: &str| vec!["-c".to_owned(), text.to_owned(), name.to_owned()];
        self.programs.push(Program::afterwards(
            "node's janitor",
            JANITOR,
            &[self.data.as_os_str(), cgroup.as_ref()],
        )?);
        let mut arguments = script(NAMESPACES, "node");
        arguments.extend(["bash".into(), self.path("node/init.sh"), self.data.display().to_string()]);
        arguments.extend([&parts.kubelet, &parts.kube_proxy].map(|path| path.display().to_string()));
        arguments.extend([parts.plugins.to_owned(), port.to_string(), cgroup]);
        self.programs.push(Program::run("node", shell, &arguments, &self.data)?);
        self.programs.push(Program::run("slirp4netns", shell, &script(NETWORK, "slirp4netns"), &self.data)?);

        let socket = node.join("slirp.sock");
        self.until("slirp4netns", async || UnixStream::connect(&socket).is_ok()).await?;
        forward(&socket, port)?;
        let nodes = Api::<Node>::all(admin);
        // Asked for again and again, for that also sees at once when one of the programs ends.
        let ready = async || matches!(nodes.get_opt(NAME).await, Ok(Some(node)) if is_ready(&node));
        self.until("node", ready).await
    }
}

/// The node's programs do not act in anybody else's name: what they write can be told from what people do.
pub(super) fn user() -> User {
    User::new("node").group("system:nodes").group("system:masters")
}

/// Loads the images of a `docker save` file into the real node.
pub(super) async fn import(data: &Path, archive: &Path) -> Result<(), Error> {
    let output = tokio::process::Command::new("ctr")
        .arg("--address")
        .arg(data.join("node/containerd.sock"))
        .args(["--namespace", "k8s.io", "images", "import"])
        .arg(archive)
        .stdin(Stdio::null())
        .output()
        .await?;
    succeeded(&output)
}

/// Whether a process is in the cgroup of one of the node's pods.
pub(super) fn has_in_a_pod(data: &Path, process: i32) -> bool {
    let groups = fs::read_to_string(format!("/proc/{process}/cgroup")).unwrap_or_default();
    let own = fs::read_to_string(data.join("node/cgroup"));
    own.is_ok_and(|own| groups.contains(&format!("/{own}/pod")))
}

/// Makes the machine's loopback port lead to the node's.
fn forward(socket: &Path, port: u16) -> Result<(), Error> {
    let mut slirp = UnixStream::connect(socket)?;
    slirp.set_read_timeout(Some(Duration::from_secs(10)))?;
    let request = json!({ "execute": "add_hostfwd", "arguments": {
        "proto": "tcp", "host_addr": "127.0.0.1", "host_port": port, "guest_port": port,
    }});
    slirp.write_all(request.to_string().as_bytes())?;
    slirp.shutdown(std::net::Shutdown::Write)?;
    let mut answer = String::new();
    slirp.read_to_string(&mut answer)?;
    match serde_json::from_str::<Value>(&answer) {
        Ok(answer) if answer.get("return").is_some() => Ok(()),
        // Of its reasons slirp says nothing; the usual one is what a second try helps against.
        _ => Err(Error::Ended {
            program: "slirp4netns",
            log: format!("port {port} cannot be forwarded, address already in use: {}", answer.trim()),
        }),
    }
}

/// Makes the image of Slipway's runner from two programs, and loads it.
pub(super) async fn import_runner(data: &Path, slipway: &Path, helm: &Path) -> Result<String, Error> {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let name = format!("slipway:testbed-{}", MADE.fetch_add(1, Ordering::Relaxed));
    let archive = data.join(format!("node/{}.tar", name.replace(':', "-")));
    let mut script = tokio::process::Command::from(image_script("runner", &archive));
    let output = script.args([slipway, helm]).arg(format!("docker.io/library/{name}")).output().await?;
    succeeded(&output)?;
    import(data, &archive).await?;
    fs::remove_file(&archive)?;
    Ok(name)
}

/// The images that pods can use without a registry. The second is what containerd holds a pod's namespaces with, the
/// third what the sample charts have where they do nothing.
fn busybox_image(archive: &Path) -> Result<(), Error> {
    let output = image_script("busybox", archive)
        .arg(find("busybox").ok_or_else(|| Error::RealNode("busybox is gone".into()))?)
        .args(["docker.io/library/busybox:1.37", "docker.io/testbed/pause:1", "registry.k8s.io/pause:3.10"])
        .output()?;
    succeeded(&output)
}

fn image_script(kind: &str, archive: &Path) -> Command {
    let mut command = Command::new("bash");
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy/image.sh")).arg(kind).arg(archive);
    command.stdin(Stdio::null());
    command
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file())
}

fn succeeded(output: &Output) -> Result<(), Error> {
    let said = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if output.status.success() { Ok(()) } else { Err(Error::RealNode(said())) }
}
