//! Slipway. Reads arguments and wires; decides nothing.

use std::process::ExitCode;

use server::settings::{Arguments, Command};
use server::{helm, logging, serve};

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::read(std::env::args_os()).unwrap_or_else(|error| error.exit());
    let result = match arguments.command {
        Command::Serve(settings) => {
            logging::start(&settings.logging);
            serve::serve(*settings).await
        }
        #[cfg(feature = "demo")]
        Command::Demo(settings) => {
            logging::start(&settings.logging);
            server::demo::demo(settings).await
        }
        Command::RunOperation(settings) => {
            logging::start(&settings.logging);
            serve::run_operation(settings).await
        }
        Command::WatchHelm(of) => helm::watchdog::watch(&of.program, &of.arguments, of.apart)
            .await
            .map(|never| match never {})
            .map_err(Into::into),
        Command::ExecHelm(settings) => {
            Err(helm::guard::become_helm(settings.parent, &settings.program, &settings.arguments).into())
        }
    };
    result.map_or_else(
        |error| {
            eprintln!("slipway: {error}");
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}
