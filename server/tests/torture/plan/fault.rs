//! What can go wrong, and for how long.

use std::time::Duration;

use fastrand::Rng;

/// An outage of the cluster for longer than a Lease: no longer than this, and than this part of a run.
pub const LONG_OUTAGE: Duration = Duration::from_secs(30);
const LONG_OUTAGE_PART: u32 = 8;

/// What goes wrong. Whom it befalls is decided when it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Between helm and the API server.
    Helm(Line),
    /// Between Slipway and the API server.
    Slipway(Line),
    /// One of Slipway's own processes.
    Process(Process, Blow),
    /// The pod of a runner is deleted by force, or evicted.
    PodDeleted,
    /// A server is killed and started again.
    Server,
    /// All servers are.
    Servers,
    /// A server is started anew with a clock that is ten minutes ahead, and later with the right one.
    ClockAhead,
    /// The disk of a server's data is full.
    DiskFull,
    /// A server's helm is not there.
    HelmMissing,
    /// It is there, and cannot be executed.
    HelmNotExecutable,
    /// It says a gigabyte before it does what it is for.
    HelmTalks,
    /// The API server is killed and started again.
    ApiServerDead,
    /// The API server stands still.
    ApiServerStill,
    /// etcd is killed and started again.
    EtcdDead,
    /// etcd stands still.
    EtcdStill,
    /// A namespace is being terminated for a while, is gone, and is made anew.
    NamespaceDeleted,
    /// A webhook in a namespace refuses connections, and then is up.
    WebhookDown,
    /// Somebody deletes helm's records of any release by hand.
    RecordsDeleted,
    /// Somebody deletes those of a release that a helm is at work on.
    RecordsDeletedAtWork,
    /// Somebody uninstalls such a release with a helm of their own.
    UninstalledAtWork,
    /// Slipway's user may do nothing any more in the namespace of such a release.
    RightsTakenAtWork,
    /// Somebody writes an operation record that cannot be read, or is another one's.
    ForeignRecord,
}

/// What happens to requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// The first writes meet a conflict over a quota.
    QuotaConflict,
    /// 429 now and then.
    TooMany,
    /// 500 now and then.
    InternalError,
    /// 503 now and then.
    Unavailable,
    /// Answers break off.
    Reset,
    /// What was asked is done, and not answered.
    AnswerLost,
    /// Each write comes two seconds late.
    Late,
    /// Requests hang until it is over.
    Hang,
    /// So do TLS handshakes, Slipway's among them.
    HandshakeHangs,
    /// Watches end with 410.
    WatchGone,
    /// Watches are closed.
    WatchClosed,
    /// Each event comes twice.
    WatchDouble,
    /// Neighbouring events change places.
    WatchSwap,
    /// There are no bookmarks.
    NoBookmarks,
}

/// One of Slipway's processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// `slipway run-operation`
    Runner,
    /// `slipway watch-helm`
    Watchdog,
    /// helm.
    Helm,
}

/// What is done to a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blow {
    /// SIGKILL
    Kill,
    /// SIGSTOP, and SIGCONT when it is over.
    Stop,
}

/// All of them.
pub const FAULTS: [Fault; 45] = [
    Fault::Helm(Line::QuotaConflict),
    Fault::Helm(Line::TooMany),
    Fault::Helm(Line::InternalError),
    Fault::Helm(Line::Unavailable),
    Fault::Helm(Line::Reset),
    Fault::Helm(Line::AnswerLost),
    Fault::Helm(Line::Late),
    Fault::Helm(Line::Hang),
    Fault::Helm(Line::HandshakeHangs),
    Fault::Helm(Line::WatchSwap),
    Fault::Slipway(Line::TooMany),
    Fault::Slipway(Line::InternalError),
    Fault::Slipway(Line::Unavailable),
    Fault::Slipway(Line::Reset),
    Fault::Slipway(Line::AnswerLost),
    Fault::Slipway(Line::Late),
    Fault::Slipway(Line::Hang),
    Fault::Slipway(Line::WatchGone),
    Fault::Slipway(Line::WatchClosed),
    Fault::Slipway(Line::WatchDouble),
    Fault::Slipway(Line::WatchSwap),
    Fault::Slipway(Line::NoBookmarks),
    Fault::Process(Process::Runner, Blow::Kill),
    Fault::Process(Process::Runner, Blow::Stop),
    Fault::Process(Process::Watchdog, Blow::Kill),
    Fault::Process(Process::Helm, Blow::Kill),
    Fault::PodDeleted,
    Fault::Server,
    Fault::Servers,
    Fault::ClockAhead,
    Fault::DiskFull,
    Fault::HelmMissing,
    Fault::HelmNotExecutable,
    Fault::HelmTalks,
    Fault::ApiServerDead,
    Fault::ApiServerStill,
    Fault::EtcdDead,
    Fault::EtcdStill,
    Fault::NamespaceDeleted,
    Fault::WebhookDown,
    Fault::RecordsDeleted,
    Fault::RecordsDeletedAtWork,
    Fault::UninstalledAtWork,
    Fault::RightsTakenAtWork,
    Fault::ForeignRecord,
];

impl Fault {
    /// Whether nobody can do anything meanwhile.
    pub fn is_outage(self) -> bool {
        matches!(self, Self::ApiServerDead | Self::ApiServerStill | Self::EtcdDead | Self::EtcdStill)
    }

    /// For how long it lasts, in a run of `length`.
    pub fn duration(self, rng: &mut Rng, length: Duration) -> Duration {
        let mut seconds =
            |least: u64, most: u64| Duration::from_millis(rng.u64(least * 1_000..=most * 1_000));
        match self {
            // Past the Lease's length, often.
            Self::Process(_, Blow::Stop) => seconds(12, 36),
            Self::Server | Self::Servers => seconds(0, 8),
            Self::ClockAhead => seconds(8, 20),
            // A long outage is rare.
            Self::ApiServerDead | Self::EtcdDead => match seconds(2, 7) {
                long if long > Duration::from_secs(6) => LONG_OUTAGE.min(length / LONG_OUTAGE_PART),
                short => short,
            },
            Self::Process(_, Blow::Kill)
            | Self::PodDeleted
            | Self::RecordsDeleted
            | Self::RecordsDeletedAtWork
            | Self::UninstalledAtWork
            | Self::ForeignRecord => Duration::ZERO,
            _ => seconds(2, 8),
        }
    }

    /// What it is, for people.
    pub fn words(self) -> String {
        let plain = match self {
            Self::Helm(line) => return format!("helm's line: {}", line.words()),
            Self::Slipway(line) => return format!("Slipway's line: {}", line.words()),
            Self::Process(process, blow) => return format!("{} {}", process.words(), blow.words()),
            Self::PodDeleted => "a runner's pod deleted by force or evicted",
            Self::Server => "a server killed (SIGKILL), started again",
            Self::Servers => "both servers killed (SIGKILL), started again",
            Self::ClockAhead => "a server's clock 10 minutes ahead",
            Self::DiskFull => "the disk of a server's data full",
            Self::HelmMissing => "helm missing",
            Self::HelmNotExecutable => "helm not executable",
            Self::HelmTalks => "helm says 1 GB",
            Self::ApiServerDead => "API server killed, started again",
            Self::ApiServerStill => "API server stands still",
            Self::EtcdDead => "etcd killed, started again",
            Self::EtcdStill => "etcd stands still",
            Self::NamespaceDeleted => "a namespace terminated, made anew",
            Self::WebhookDown => "a webhook refuses connections, then is up",
            Self::RecordsDeleted => "a release's records deleted by hand",
            Self::RecordsDeletedAtWork => "a release's records deleted by hand in mid-operation",
            Self::UninstalledAtWork => "a release uninstalled by hand in mid-operation",
            Self::RightsTakenAtWork => "the user's rights taken in mid-operation",
            Self::ForeignRecord => "an unreadable or foreign operation record",
        };
        plain.to_owned()
    }
}

impl Line {
    /// Whether it befalls watches alone.
    pub fn is_of_watches(self) -> bool {
        matches!(
            self,
            Self::WatchGone | Self::WatchClosed | Self::WatchDouble | Self::WatchSwap | Self::NoBookmarks
        )
    }

    fn words(self) -> &'static str {
        match self {
            Self::QuotaConflict => "409 over a quota on the first writes",
            Self::TooMany => "429 with Retry-After",
            Self::InternalError => "500",
            Self::Unavailable => "503",
            Self::Reset => "answers break off",
            Self::AnswerLost => "writes done and not answered",
            Self::Late => "each write 2 s late",
            Self::Hang => "requests hang",
            Self::HandshakeHangs => "TLS handshakes hang",
            Self::WatchGone => "watches end with 410",
            Self::WatchClosed => "watches closed",
            Self::WatchDouble => "watch events doubled",
            Self::WatchSwap => "watch events out of order",
            Self::NoBookmarks => "bookmarks lost",
        }
    }
}

impl Process {
    fn words(self) -> &'static str {
        match self {
            Self::Runner => "a runner",
            Self::Watchdog => "a watchdog",
            Self::Helm => "a helm",
        }
    }
}

impl Blow {
    fn words(self) -> &'static str {
        match self {
            Self::Kill => "killed (SIGKILL)",
            Self::Stop => "stands still (SIGSTOP), often past its Lease, and goes on",
        }
    }
}
