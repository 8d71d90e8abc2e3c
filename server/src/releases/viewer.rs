//! The page of one release: one task for all who look at it, from the first until a while after the last.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use app::model::action::actions;
use app::model::notice::{notice, step, with_hook};
use app::model::resource::awaited;
use app::model::way::ways_out;
use app::model::{Detail, Phase, Progress, RecordStatus, ReleaseKey, ReleaseRecord, ReleaseView, Version};
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::DropGuard;
use tokio_util::task::AbortOnDropHandle;

use super::course::Coursed;
use super::decode;
use super::following::{Shared, TICK, TRY_AGAIN};
use super::live::Live;
use super::manifest::{self, Manifest};
use super::reader::{is_passing, reason};
use super::sources::{AWAY, Standing};
use crate::kube::records::RecordMeta;

/// How long a release is followed after the last one looked at it: longer than a page's next poll takes to come.
const LINGER: Duration = Duration::from_secs(60);
/// The least time between two new states: a large release becomes ready in hundreds of steps.
const AT_MOST_EVERY: Duration = Duration::from_millis(250);
/// The most releases that are followed at once; beyond it the one that was not looked at for longest makes room.
const VIEWED_MAX: usize = 200;

/// What a viewer shows just now.
#[derive(Clone, Default)]
pub struct Shown {
    /// The state; none before the first.
    pub view: Option<Arc<ReleaseView>>,
    /// Whether all of it has been read.
    pub settled: bool,
    /// How each object of the manifest came to be ready.
    pub courses: Arc<Vec<Coursed>>,
    /// The custom resource definitions that the chart brings.
    pub definitions: Arc<Vec<String>>,
}

/// All releases that somebody looks at.
#[derive(Default)]
pub struct Viewers {
    open: Mutex<HashMap<ReleaseKey, Open>>,
    opened: Mutex<u64>,
}

struct Open {
    shown: watch::Receiver<Shown>,
    looked: Instant,
    _end: DropGuard,
}

impl Viewers {
    /// What is shown of `key`, from now on; the receiver closes if the release is no longer followed.
    pub fn look(&self, shared: &Arc<Shared>, key: &ReleaseKey) -> watch::Receiver<Shown> {
        let mut open = self.lock();
        open.retain(|_, it| it.looked.elapsed() < LINGER);
        if let Some(viewer) = open.get_mut(key) {
            viewer.looked = Instant::now();
            return viewer.shown.clone();
        }
        if open.len() >= VIEWED_MAX
            && let Some(longest) = open.iter().min_by_key(|(_, it)| it.looked).map(|(key, _)| key.clone())
        {
            open.remove(&longest);
        }
        let (show, shown) = watch::channel(Shown::default());
        let end = shared.end.child_token();
        let viewer = Viewer {
            shared: Arc::clone(shared),
            key: key.clone(),
            epoch: format!("{:x}.{}", shared.epoch, self.number()),
            changes: 0,
            show,
            contents: None,
            loading: None,
            live: None,
            definitions: Arc::default(),
        };
        shared.spawn(&end, viewer.run());
        open.insert(
            key.clone(),
            Open { shown: shown.clone(), looked: Instant::now(), _end: end.drop_guard() },
        );
        shown
    }

    /// Notes that somebody has just finished looking at `key`.
    pub fn looked(&self, key: &ReleaseKey) {
        if let Some(viewer) = self.lock().get_mut(key) {
            viewer.looked = Instant::now();
        }
    }

    /// Ends what nobody has looked at for a while.
    pub fn sweep(&self) {
        self.lock().retain(|_, it| it.looked.elapsed() < LINGER);
    }

    fn number(&self) -> u64 {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        *opened += 1;
        *opened
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ReleaseKey, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the latest record consists of.
struct Contents {
    manifest: Manifest,
    namespace: String,
    definitions: Vec<String>,
}

/// Which writing of which record contents are of.
type Writing = (String, String);

struct Viewer {
    shared: Arc<Shared>,
    key: ReleaseKey,
    epoch: String,
    changes: u64,
    show: watch::Sender<Shown>,
    contents: Option<(Writing, Result<(), String>)>,
    loading: Option<(Writing, AbortOnDropHandle<Result<Contents, String>>)>,
    live: Option<(Live, usize)>,
    definitions: Arc<Vec<String>>,
}

impl Viewer {
    async fn run(mut self) {
        let mut board = self.shared.changes();
        let mut operations = self.shared.feed.changes();
        loop {
            board.borrow_and_update();
            operations.borrow_and_update();
            self.shared.board().ask([&self.key]);
            self.shared.work_is_there();
            let latest = self.shared.board().index.latest(&self.key).cloned();
            self.load(latest);
            self.publish();
            let composed = Instant::now();
            tokio::select! {
                changed = board.changed() => if changed.is_err() { return },
                // A feed that has ended says nothing new; the board's clock goes on.
                Ok(()) = operations.changed() => {}
                contents = loaded(&mut self.loading) => self.take(contents),
                () = changed(&mut self.live) => {}
                () = tokio::time::sleep(TICK) => {}
            }
            tokio::time::sleep_until(composed + AT_MOST_EVERY).await;
        }
    }

    /// Starts to read the latest record, unless that is done or under way.
    fn load(&mut self, latest: Option<RecordMeta>) {
        let Some(record) = latest else {
            (self.contents, self.loading, self.live) = (None, None, None);
            self.definitions = Arc::default();
            return;
        };
        let writing = (record.uid.clone(), record.resource_version.clone());
        let is_done = self.contents.as_ref().is_some_and(|(of, _)| *of == writing);
        let is_under_way = self.loading.as_ref().is_some_and(|(of, _)| *of == writing);
        if !is_done && !is_under_way {
            let task = tokio::spawn(read(Arc::clone(&self.shared), record));
            self.loading = Some((writing, AbortOnDropHandle::new(task)));
        }
    }

    /// Takes what was read, and follows its objects.
    fn take(&mut self, (writing, contents): (Writing, Result<Contents, String>)) {
        let outcome = contents.map(|Contents { manifest, namespace, definitions }| {
            self.definitions = Arc::new(definitions);
            let current = self.live.as_ref().filter(|(live, _)| live.is_of(&manifest.objects, &namespace));
            if current.is_none() {
                let Shared { client, clock, discovery, .. } = &*self.shared;
                let before = self.live.as_ref().map(|(live, _)| live);
                let live = Live::follow((client, clock), discovery, manifest.objects, &namespace, before);
                self.live = Some((live, manifest.skipped));
            }
        });
        self.contents = Some((writing, outcome));
    }

    /// Shows the present state, as a new version if it is another one.
    fn publish(&mut self) {
        let operation = self.shared.feed.latest(&self.key);
        let (record, deployed, standing) = {
            let board = self.shared.board();
            let index = &board.index;
            let standing = board.sources.standing(&self.key.namespace);
            (index.record(&self.key), index.deployed_before(&self.key), standing)
        };
        let mut resources = self.live.as_ref().map(|(live, _)| live.resources());
        let now = self.shared.clock.now();
        let phase = Phase::of(operation.as_deref(), record.as_ref(), resources.as_deref(), now);
        if let Some(resources) = &mut resources {
            awaited(resources, &phase);
        }
        let settled = self.is_settled(record.as_ref());
        let queue_place = operation.as_ref().and_then(|operation| self.shared.feed.place(&operation.id));
        let host = operation.as_ref().and_then(|operation| self.shared.feed.host(&operation.id));
        let mut view = ReleaseView {
            version: Version(String::new()),
            now,
            key: self.key.clone(),
            step: step(&phase, operation.as_deref(), queue_place, host.as_ref())
                .map(|words| with_hook(words, &phase, resources.as_deref().unwrap_or_default())),
            notice: notice(&phase, operation.as_deref(), record.as_ref()),
            ways: ways_out(&phase, operation.as_deref(), record.as_ref(), deployed),
            actions: actions(&phase, operation.as_deref(), record.as_ref()),
            phase,
            queue_place,
            operation: operation.map(|operation| (*operation).clone()),
            progress: resources.as_deref().filter(|_| shows_progress(record.as_ref())).map(Progress::of),
            record,
            resources: resources.unwrap_or_default(),
            resources_error: self.trouble(standing),
        };
        let courses = self.live.as_ref().map(|(live, _)| Arc::new(live.courses())).unwrap_or_default();
        let before = self.show.borrow().view.clone();
        if let Some(before) = &before {
            (view.version, view.now) = (before.version.clone(), before.now);
            if view == **before {
                self.show.send_if_modified(|shown| {
                    let news = shown.settled != settled;
                    (shown.settled, shown.courses) = (settled, courses);
                    news
                });
                return;
            }
        }
        self.changes += 1;
        view.version = Version(format!("{}-{}", self.epoch, self.changes));
        view.now = now;
        let definitions = Arc::clone(&self.definitions);
        self.show.send_replace(Shown { view: Some(Arc::new(view)), settled, courses, definitions });
    }

    fn is_settled(&self, record: Option<&ReleaseRecord>) -> bool {
        record.is_none_or(|record| record.detail != Detail::Loading)
            && self.loading.is_none()
            && self.live.as_ref().is_none_or(|(live, _)| live.is_settled())
    }

    /// Why the resources are not, or not all, known.
    fn trouble(&self, standing: Standing) -> Option<String> {
        if matches!(standing, Standing::Away { .. }) {
            return Some(AWAY.to_owned());
        }
        let skipped = self.live.as_ref().map_or(0, |(_, skipped)| *skipped);
        match &self.contents {
            Some((_, Err(reason))) => Some(reason.clone()),
            _ if skipped == 1 => Some("One document of the manifest cannot be read.".to_owned()),
            _ if skipped > 1 => Some(format!("{skipped} documents of the manifest cannot be read.")),
            _ => None,
        }
    }
}

/// An uninstalled release has nothing to become ready.
fn shows_progress(record: Option<&ReleaseRecord>) -> bool {
    record.is_some_and(|record| record.status != RecordStatus::Uninstalled)
}

/// Reads a record until it is read, or cannot be.
async fn read(shared: Arc<Shared>, record: RecordMeta) -> Result<Contents, String> {
    loop {
        match shared.reader.read(&record.key, record.revision, contents).await {
            Ok(reading) => return reading.content.map_err(|error| error.to_string()),
            Err(error) if is_passing(&error) => tokio::time::sleep(TRY_AGAIN).await,
            Err(error) => return Err(reason(&error)),
        }
    }
}

fn contents(payload: &[u8], namespace: &str) -> Result<Contents, decode::DecodeError> {
    let record = decode::full(payload, namespace)?;
    let manifest = manifest::objects(&record);
    Ok(Contents {
        definitions: manifest::definitions(&record),
        manifest,
        namespace: record.summary.target_namespace.unwrap_or_else(|| namespace.to_owned()),
    })
}

/// What was loaded, when it is; for ever if nothing is being loaded.
async fn loaded(
    loading: &mut Option<(Writing, AbortOnDropHandle<Result<Contents, String>>)>,
) -> (Writing, Result<Contents, String>) {
    let Some((writing, task)) = loading else { return std::future::pending().await };
    let contents = task.await.unwrap_or_else(|_| Err("Slipway failed to read the record.".to_owned()));
    let writing = writing.clone();
    *loading = None;
    (writing, contents)
}

async fn changed(live: &mut Option<(Live, usize)>) {
    match live {
        Some((live, _)) => live.changed().await,
        None => std::future::pending().await,
    }
}
