//! What helm's text means when it ran a release's own tests: to helm they are hooks like others.

use crate::model::NextAction::{EditValues, SeeResources, SeeTests, TryAgain};
use crate::model::{Failure, FailureClass};

impl Failure {
    /// Takes apart what `helm test` ended with.
    pub fn told_by_test(text: &str) -> Self {
        // That a log could not be read says nothing of the test.
        let is_about_logs =
            |line: &&str| line.trim_start_matches("Error: ").starts_with("unable to get pod logs for ");
        let of_tests: Vec<&str> = text.lines().filter(|line| !is_about_logs(line)).collect();
        let told = Self::told_by_helm(text);
        let told = if of_tests.is_empty() {
            told
        } else {
            Self { text: told.text, ..Self::told_by_helm(&of_tests.join("\n")) }
        };
        match told.class {
            FailureClass::Hook => {
                Self { class: FailureClass::Test, cause: "A test failed.".to_owned(), ..told }
                    .advised("Its log says what it found; correct that and run the tests again.")
                    .offering(&[SeeTests, EditValues, TryAgain])
            }
            FailureClass::TimedOut => Self { cause: "A test did not end in time.".to_owned(), ..told }
                .advised("Look at what holds its pod, or give the tests more time.")
                .offering(&[SeeTests, SeeResources, TryAgain]),
            _ => told,
        }
    }
}
