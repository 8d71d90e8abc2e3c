//! What to make of helm's output.

/// How much of helm's output is kept to find its error in, in bytes.
pub(super) const TAIL_MAX: usize = 64 * 1024;

/// helm's error: its last `Error:` block, without the log lines that helm 4 writes around it; else its last lines.
pub(super) fn last_error(output: &str) -> String {
    let lines: Vec<&str> = output.lines().filter(|line| !is_log_line(line)).collect();
    let start = lines
        .iter()
        .rposition(|line| line.starts_with("Error: "))
        .unwrap_or_else(|| lines.len().saturating_sub(20));
    lines.get(start..).unwrap_or_default().join("\n").trim().to_owned()
}

/// `level=WARN msg=…`, and `WARNING: …` about a kubeconfig that others can read.
fn is_log_line(line: &str) -> bool {
    line.starts_with("level=")
        || line.starts_with("time=") && line.contains(" level=")
        || line.starts_with("WARNING: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_the_last_block_without_log_lines() {
        let output = "level=WARN msg=\"unable to find exact version\"\n\
                      Error: first\nError: INSTALLATION FAILED: 1 error occurred:\n\t* Service \"a\" is invalid\n\n\
                      level=WARN msg=\"late\"\n";
        assert_eq!(
            last_error(output),
            "Error: INSTALLATION FAILED: 1 error occurred:\n\t* Service \"a\" is invalid"
        );
    }

    #[test]
    fn without_an_error_block_the_last_lines_are_told() {
        assert_eq!(last_error("panic: oh\ngoroutine 1\n"), "panic: oh\ngoroutine 1");
        assert_eq!(last_error(""), "");
        let long: String = (0..100).map(|line| format!("{line}\n")).collect();
        assert!(last_error(&long).starts_with("80\n"));
    }
}
