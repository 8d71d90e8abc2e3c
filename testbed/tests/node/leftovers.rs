//! What a cluster could leave behind, and one that ends suddenly.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The example `cluster`, which cargo builds along with the tests, and the folder of its cluster.
pub fn start_in_another_process(
    real_node: bool,
) -> std::result::Result<(Child, PathBuf), Box<dyn std::error::Error>> {
    let tests = std::env::current_exe()?;
    let example = tests.ancestors().nth(2).ok_or("no target folder")?.join("examples/cluster");
    let mut parent = Command::new(example)
        .env("SLIPWAY_REAL_NODE", if real_node { "1" } else { "0" })
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let output = parent.stdout.take().ok_or("no output")?;
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line)?;
    let data = Path::new(line.trim()).parent().ok_or("no kubeconfig")?;
    Ok((parent, data.to_path_buf()))
}

/// The command lines that name a folder, which those of a cluster's programs do.
pub fn processes_of(data: &Path) -> Vec<String> {
    let output = Command::new("ps").args(["-A", "-o", "args="]).output().expect("ps runs");
    let data = data.display().to_string();
    let lines = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect::<Vec<_>>();
    lines.into_iter().filter(|line| line.contains(&data)).collect()
}
