//! Logs, on standard error. Never in them: credentials, values, manifests, bodies.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt;

use crate::settings::{LogFormat, Logging};

/// Starts to log as `settings` say. Also chooses the TLS library for all of the program, which can be done just once.
pub fn start(settings: &Logging) {
    // An error means that it is chosen already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let filter = EnvFilter::try_new(&settings.log).unwrap_or_else(|_| EnvFilter::new("info"));
    // A line that cannot be written, on a full disk for one, is lost: that it is would be said there too, by a panic.
    let lines = fmt().with_env_filter(filter).with_writer(std::io::stderr).log_internal_errors(false);
    let result = match settings.log_format {
        LogFormat::Text => lines.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).try_init(),
        LogFormat::Json => lines.json().try_init(),
    };
    if let Err(error) = result {
        eprintln!("slipway: no log: {error}");
    }
}
