//! When clusters are opened and given up, with clusters that these tests play.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::time::advance;

use super::*;
use crate::http::tests::fake::{FakeBackend, cluster};

/// Opens what it is told to.
#[derive(Default)]
struct FakeOpener {
    opened: AtomicUsize,
    closed: Mutex<Vec<String>>,
    fails: AtomicBool,
    hangs: AtomicBool,
    is_busy: Arc<AtomicBool>,
    /// One count for each cluster that is alive.
    alive: Arc<()>,
}

impl FakeOpener {
    fn one(&self) -> Opened {
        let is_busy = self.is_busy.clone();
        Opened {
            cluster: cluster(FakeBackend::default()),
            is_busy: Box::new(move || is_busy.load(Ordering::SeqCst)),
            life: Box::new(self.alive.clone()),
        }
    }

    fn opened(&self) -> usize {
        self.opened.load(Ordering::SeqCst)
    }

    fn alive(&self) -> usize {
        Arc::strong_count(&self.alive) - 1
    }
}

#[async_trait]
impl Opener for FakeOpener {
    async fn open(&self, _: &str) -> Result<Opened, String> {
        self.opened.fetch_add(1, Ordering::SeqCst);
        if self.hangs.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        if self.fails.load(Ordering::SeqCst) { Err("no credentials".into()) } else { Ok(self.one()) }
    }

    fn closed(&self, name: &str) {
        self.closed.lock().unwrap().push(name.to_owned());
    }
}

/// The clusters `a`, `b` and `c`, of which `a` is the default.
fn clusters() -> (Arc<FakeOpener>, Arc<Clusters>) {
    let opener = Arc::new(FakeOpener::default());
    let list = ClusterList { clusters: ["a", "b", "c"].map(str::to_owned).into(), default: "a".into() };
    let clusters = Clusters::new(opener.clone(), list, opener.one());
    (opener, Arc::new(clusters))
}

#[tokio::test(start_paused = true)]
async fn a_cluster_is_opened_once_and_when_it_is_first_asked_for() {
    let (opener, clusters) = clusters();
    clusters.get(None).await.unwrap();
    clusters.get(Some("a")).await.unwrap();
    assert_eq!(opener.opened(), 0);
    let (one, other) = tokio::join!(clusters.get(Some("b")), clusters.get(Some("b")));
    assert!(Arc::ptr_eq(&one.unwrap(), &other.unwrap()));
    assert_eq!((opener.opened(), opener.alive()), (1, 2));
    let unknown = clusters.get(Some("z")).await.err();
    assert!(matches!(unknown, Some(ApiError::NotFound { .. })), "{unknown:?}");
}

#[tokio::test(start_paused = true)]
async fn one_that_cannot_be_used_says_so_and_is_tried_again_ever_more_seldom() {
    let (opener, clusters) = clusters();
    opener.fails.store(true, Ordering::SeqCst);
    let mut pause = AGAIN_AFTER;
    for tries in 1..10 {
        for _ in 0..3 {
            let error = clusters.get(Some("b")).await.err().unwrap();
            assert!(error.is_passing() && error.to_string().contains("no credentials"), "{error}");
        }
        assert_eq!(opener.opened(), tries);
        advance(pause).await;
        pause = (pause * 2).min(AGAIN_AFTER_MAX);
    }
    clusters.get(None).await.unwrap();
    opener.fails.store(false, Ordering::SeqCst);
    clusters.get(Some("b")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_program_for_credentials_that_does_not_answer_holds_up_nobody_else() {
    let (opener, clusters) = clusters();
    opener.hangs.store(true, Ordering::SeqCst);
    for _ in 0..3 {
        let error = clusters.get(Some("b")).await.err().unwrap();
        assert!(error.is_passing() && error.to_string().contains("still being opened"), "{error}");
    }
    assert_eq!(opener.opened(), 1);
    opener.hangs.store(false, Ordering::SeqCst);
    clusters.get(Some("c")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_cluster_that_nobody_asks_for_is_given_up_unless_something_is_under_way_in_it() {
    let (opener, clusters) = clusters();
    let closes = clusters.clone();
    let _closing =
        tokio_util::task::AbortOnDropHandle::new(tokio::spawn(async move { closes.close_idle().await }));
    clusters.get(Some("b")).await.unwrap();
    opener.is_busy.store(true, Ordering::SeqCst);
    sleep(2 * IDLE_FOR).await;
    assert_eq!(opener.alive(), 2);
    opener.is_busy.store(false, Ordering::SeqCst);
    sleep(LOOK_EVERY).await;
    assert_eq!((opener.alive(), opener.closed.lock().unwrap().as_slice()), (1, &["b".to_owned()][..]));
    // It is opened anew for whoever comes back, and stays for as long as they do.
    for _ in 0..20 {
        clusters.get(Some("b")).await.unwrap();
        sleep(IDLE_FOR / 2).await;
    }
    assert_eq!((opener.opened(), opener.alive()), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn what_was_open_when_a_server_ended_is_opened_however_long_that_takes() {
    let (opener, clusters) = clusters();
    opener.fails.store(true, Ordering::SeqCst);
    let opens = clusters.clone();
    let reopening = tokio::spawn(async move { opens.reopen("c").await });
    sleep(10 * AGAIN_AFTER_MAX).await;
    assert!(opener.opened() > 5 && !reopening.is_finished());
    opener.fails.store(false, Ordering::SeqCst);
    reopening.await.unwrap();
    assert_eq!(opener.alive(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_ends_remembers_only_where_something_is_under_way() {
    let (opener, clusters) = clusters();
    clusters.get(Some("b")).await.unwrap();
    opener.is_busy.store(true, Ordering::SeqCst);
    clusters.end();
    assert!(opener.closed.lock().unwrap().is_empty());
    opener.is_busy.store(false, Ordering::SeqCst);
    clusters.end();
    assert_eq!(opener.closed.lock().unwrap().as_slice(), ["b"]);
}
