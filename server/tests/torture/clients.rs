//! Those who ask: what they asked for, and what they were told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::model::OperationId;
use serde_json::{Value, json};

use crate::evidence::Accepted;
use crate::journal::Journal;
use crate::plan::{Chart, RELEASES, SERVERS, Verb, Wish};
use crate::world::{CHARTS, CHARTS_FOR_PODS, World, release};

/// How long a client waits for an answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(15);
/// How often a client that had no answer asks again, with the same key.
const TIMES: usize = 3;
/// How long it waits before it does.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// All of them.
pub struct Clients {
    world: Arc<World>,
    http: reqwest::Client,
    /// Begins the keys of this run.
    run: String,
    accepted: Mutex<Vec<Accepted>>,
    /// How often each answer was given to each request.
    answers: Mutex<BTreeMap<String, usize>>,
    journal: Arc<Journal>,
}

impl Clients {
    /// Clients of a world whose keys begin with `run`.
    pub fn new(world: Arc<World>, run: String, journal: Arc<Journal>) -> Self {
        let http = reqwest::Client::builder().timeout(ANSWER_WITHIN).build().expect("a client");
        Self { world, http, run, accepted: Mutex::default(), answers: Mutex::default(), journal }
    }

    /// What was accepted so far.
    pub fn accepted(&self) -> Vec<Accepted> {
        self.accepted.lock().expect("no panic").clone()
    }

    /// How often each answer was given to each request.
    pub fn answers(&self) -> BTreeMap<String, usize> {
        self.answers.lock().expect("no panic").clone()
    }

    /// Asks for the wish of a number.
    pub async fn ask(&self, number: usize, wish: &Wish) {
        let wish = &self.suited(wish).await.unwrap_or_else(|| Wish { suits: false, ..wish.clone() });
        match wish.verb {
            Verb::Deploy { chart, seconds, undo } => {
                let options = json!({ "timeout": 20, "attempts": 2, "rollbackOnFailure": undo });
                let deploy = |kind: &str| {
                    let values = format!("startup: {{seconds: {seconds}}}\n# {number}\n");
                    self.request(wish, kind, Some(chart), &values, &options)
                };
                // It is there, or busy: who is told so upgrades.
                if wish.suits || self.submit(number, wish, deploy("install")).await == Some(409) {
                    self.submit(number, wish, deploy("upgrade")).await;
                }
            }
            Verb::Preview(chart) => {
                let options = json!({ "dryRun": true });
                self.submit(number, wish, self.request(wish, "install", Some(chart), "", &options)).await;
            }
            Verb::Rollback => self.plainly(number, wish, "rollback", &json!({ "timeout": 20 })).await,
            Verb::Uninstall { keep_history } => {
                let options = json!({ "timeout": 20, "keepHistory": keep_history });
                self.plainly(number, wish, "uninstall", &options).await;
            }
            Verb::Test => self.plainly(number, wish, "test", &json!({ "timeout": 20 })).await,
            Verb::MarkFailed => self.plainly(number, wish, "markFailed", &json!({})).await,
            Verb::Cancel => {
                if let Some(id) = self.latest(wish).await {
                    let answer = self.post(wish.server, &format!("operations/{id}/cancel"), None).await;
                    self.heard("cancel", answer.as_ref());
                }
            }
            Verb::Again => {
                if let Some(id) = self.latest(wish).await {
                    let key = format!("again-{id}");
                    self.insist(wish, "again", &format!("operations/{id}/again"), None, &key).await;
                }
            }
        }
    }

    /// The wish about the next release that it suits, by the server's word; none if there is none.
    async fn suited(&self, wish: &Wish) -> Option<Wish> {
        let suits = |row: &Value| match (&wish.verb, row["phase"]["phase"].as_str()) {
            (Verb::Rollback, Some("deployed" | "failed")) => row["revision"].as_u64() > Some(1),
            (Verb::Deploy { .. } | Verb::Uninstall { .. } | Verb::Test, Some("deployed")) => true,
            (Verb::MarkFailed, Some("interrupted" | "stuck")) => {
                row["status"].as_str().is_some_and(|status| status.starts_with("pending-"))
            }
            (Verb::Cancel, Some("queued" | "working" | "retrying")) => true,
            _ => false,
        };
        let address = wish.suits.then(|| self.world.servers[wish.server].address())??;
        let answer = self.http.get(format!("{address}/api/v1/releases")).send().await.ok()?;
        let list: Value = serde_json::from_str(&answer.text().await.ok()?).ok()?;
        let rows = list["releases"].as_array()?;
        let is_suited = |number: &usize| {
            let key = release(*number);
            let is_it = |row: &&Value| {
                row["key"]["namespace"] == key.namespace.as_str() && row["key"]["name"] == key.name.as_str()
            };
            rows.iter().find(is_it).is_some_and(suits)
        };
        let mut next = (0..RELEASES).map(|by| (wish.release + by) % RELEASES);
        Some(Wish { release: next.find(is_suited)?, ..wish.clone() })
    }

    async fn plainly(&self, number: usize, wish: &Wish, kind: &str, options: &Value) {
        self.submit(number, wish, self.request(wish, kind, None, "", options)).await;
    }

    fn request(&self, wish: &Wish, kind: &str, chart: Option<Chart>, values: &str, options: &Value) -> Value {
        let release = release(wish.release);
        let is_job = wish.job && self.world.has_jobs();
        let chart = chart.map(|chart| {
            let (name, version) = match chart {
                Chart::Web => ("web", ["1.0.0", "1.1.0"][wish.release % 2]),
                Chart::FailingHook => ("hook-fails", "1.0.0"),
                Chart::CrashLoop => ("crash-loop", "1.0.0"),
                Chart::Refused => ("refused", "1.0.0"),
            };
            let repository = if is_job { CHARTS_FOR_PODS } else { CHARTS };
            json!({ "repository": repository, "name": name, "version": version })
        });
        let mut options = options.clone();
        if is_job {
            options["runner"] = "job".into();
        }
        json!({
            "kind": kind, "namespace": release.namespace, "name": release.name,
            "chart": chart, "values": values, "options": options,
        })
    }

    /// Submits, to both servers at once if the wish says so; gives the status of the last answer.
    async fn submit(&self, number: usize, wish: &Wish, mut body: Value) -> Option<u16> {
        let kind = body["kind"].as_str().unwrap_or_default().to_owned();
        let key = format!("{}-{number}-{kind}", self.run);
        body["idempotencyKey"] = key.as_str().into();
        let once = self.insist(wish, &kind, "operations", Some(&body), &key);
        if wish.twice {
            let other = Wish { server: (wish.server + 1) % SERVERS, ..wish.clone() };
            tokio::join!(once, self.insist(&other, &kind, "operations", Some(&body), &key)).0
        } else {
            once.await
        }
    }

    /// Asks until there is an answer: of one server, then of the other.
    async fn insist(
        &self,
        wish: &Wish,
        what: &str,
        path: &str,
        body: Option<&Value>,
        key: &str,
    ) -> Option<u16> {
        for time in 0..TIMES {
            let answer = self.post((wish.server + time) % SERVERS, path, body).await;
            self.heard(what, answer.as_ref());
            match answer {
                Some((202, accepted)) => {
                    let id = OperationId(accepted["id"].as_str().unwrap_or_default().to_owned());
                    let accepted = Accepted { id, key: key.to_owned() };
                    self.accepted.lock().expect("no panic").push(accepted);
                    return Some(202);
                }
                Some((status, _)) if status < 500 => return Some(status),
                _ => tokio::time::sleep(ASK_AGAIN_AFTER).await,
            }
        }
        None
    }

    /// The latest operation on the release of a wish, by the server's word.
    async fn latest(&self, wish: &Wish) -> Option<String> {
        let release = release(wish.release);
        let address = self.world.servers[wish.server].address()?;
        let path = format!("operations?namespace={}&name={}", release.namespace, release.name);
        let answer = self.http.get(format!("{address}/api/v1/{path}")).send().await.ok()?;
        let operations: Value = serde_json::from_str(&answer.text().await.ok()?).ok()?;
        Some(operations.get(0)?["id"].as_str()?.to_owned())
    }

    /// What a server says of an operation now.
    pub async fn state(&self, server: usize, id: &OperationId) -> Option<String> {
        let address = self.world.servers[server].address()?;
        let answer = self.http.get(format!("{address}/api/v1/operations/{id}")).send().await.ok()?;
        let operation: Value = serde_json::from_str(&answer.text().await.ok()?).ok()?;
        Some(operation["state"].as_str()?.to_owned())
    }

    async fn post(&self, server: usize, path: &str, body: Option<&Value>) -> Option<(u16, Value)> {
        let address = self.world.servers[server].address()?;
        let request =
            self.http.post(format!("{address}/api/v1/{path}")).header("content-type", "application/json");
        let answer = request.body(body.map(Value::to_string).unwrap_or_default()).send().await.ok()?;
        let status = answer.status().as_u16();
        let text = answer.text().await.ok()?;
        Some((status, serde_json::from_str(&text).unwrap_or_default()))
    }

    fn heard(&self, what: &str, answer: Option<&(u16, Value)>) {
        let told = answer.map_or("no answer".to_owned(), |(status, _)| status.to_string());
        let text = answer.map(|(_, body)| body.get("detail").or(body.get("id")).unwrap_or(body));
        self.journal.note(format_args!("{what}: {told} {}", text.unwrap_or(&Value::Null)));
        *self.answers.lock().expect("no panic").entry(format!("{what}: {told}")).or_default() += 1;
    }
}
