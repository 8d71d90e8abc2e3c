//! Slipway's processes in a world.

use std::collections::BTreeMap;

use app::model::ReleaseKey;

use super::World;

impl World {
    /// By their numbers, with what they are: `serve`, `run-operation`, `watch-helm`, `exec-helm`, `helm`, or something that
    /// these have started. Those in pods are among them.
    pub fn processes(&self) -> BTreeMap<i32, String> {
        let folder = self.folder.path().to_str().expect("a path");
        let entries = std::fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let ours = numbers.filter_map(|number| {
            let line = command_line(number)?;
            let role = role(&line);
            let role = if line.contains(folder) {
                Some(role.unwrap_or("something else"))
            } else {
                role.filter(|_| self.cluster.has_in_a_pod(number))
            };
            Some((number, role?.to_owned()))
        });
        ours.filter(|(_, role)| !["version", "janitor"].contains(&role.as_str())).collect()
    }
}

/// The command line of a process.
pub fn command_line(number: i32) -> Option<String> {
    let line = std::fs::read(format!("/proc/{number}/cmdline")).ok()?;
    Some(String::from_utf8_lossy(&line).replace('\0', " "))
}

/// The release that a helm works on, by its command line.
pub fn release_of(line: &str) -> Option<ReleaseKey> {
    let namespace = line.split(' ').find_map(|word| word.strip_prefix("--namespace="))?;
    let name = line.split(' ').skip_while(|word| *word != "--").nth(1)?;
    Some(ReleaseKey::new(namespace, name))
}

fn role(line: &str) -> Option<&'static str> {
    // A helm that is asked for its version works for nobody, and who clears a disk away is not Slipway's.
    for (role, part) in [("version", "helm version "), ("janitor", " disk's janitor ")] {
        if line.contains(part) {
            return Some(role);
        }
    }
    let words: Vec<&str> = line.split(' ').take(2).collect();
    let [program, subcommand] = words[..] else { return None };
    let own =
        ["serve", "run-operation", "watch-helm", "exec-helm"].into_iter().find(|own| *own == subcommand);
    // helm itself, or the shell that signs for it.
    let is_helm = program.ends_with("helm") || program == "/bin/sh" && subcommand.ends_with("/helm");
    own.or(is_helm.then_some("helm"))
}

#[test]
fn what_a_process_is_and_works_on_is_read_from_its_command_line() {
    let helm = "/tools/helm install --namespace=team-2 --wait -- app-7 web ";
    for (line, expected) in [
        ("/tmp/a/slipway serve --listen 127.0.0.1:0 ", Some("serve")),
        ("slipway run-operation 0193 --data-dir /tmp/slipway ", Some("run-operation")),
        ("slipway watch-helm /usr/local/bin/helm -- install ", Some("watch-helm")),
        ("/bin/sh /tmp/a/helm-0/helm version --template ", Some("version")),
        (helm, Some("helm")),
        ("/bin/sh /tmp/a/helm-0/helm upgrade ", Some("helm")),
        ("/bin/sh -c read -r _; umount -l \"$1\" disk's janitor /tmp/a/data-0 ", Some("janitor")),
        ("sed -e s/a/b/ /tmp/a/kubeconfig-0.signed ", None),
    ] {
        assert_eq!(role(line), expected, "{line}");
    }
    assert_eq!(release_of(helm), Some(ReleaseKey::new("team-2", "app-7")));
}
