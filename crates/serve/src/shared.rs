//! What the threads of a server share.

use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::address::Address;
use crate::files::Files;
use crate::handler::Handler;
use crate::lock::lock;
use crate::options::{Asset, Limits};
use crate::roster::Roster;
use crate::socket::Socket;

/// What the threads of a server share.
pub(crate) struct Shared {
    pub(crate) address: Address,
    pub(crate) assets: Vec<Asset>,
    pub(crate) limits: Limits,
    pub(crate) files: Arc<Files>,
    pub(crate) handler: Box<dyn Handler>,
    /// Connections whose request is read or answered.
    pub(crate) requests: Arc<Roster<Arc<TcpStream>>>,
    /// Connections that have become WebSockets.
    pub(crate) sockets: Arc<Roster<Arc<Socket>>>,
    pub(crate) end: End,
}

/// Whether a server is to end.
#[derive(Default)]
pub(crate) struct End {
    is_near: AtomicBool,
    /// For those who sleep.
    sleep: Mutex<()>,
    woken: Condvar,
}

impl End {
    pub(crate) fn is_near(&self) -> bool {
        self.is_near.load(Ordering::SeqCst)
    }

    pub(crate) fn announce(&self) {
        let _asleep = lock(&self.sleep);
        self.is_near.store(true, Ordering::SeqCst);
        self.woken.notify_all();
    }

    /// Waits for a time, or for the end; says whether the end is near.
    pub(crate) fn wait(&self, time: Duration) -> bool {
        let asleep = lock(&self.sleep);
        let waited = self
            .woken
            .wait_timeout_while(asleep, time, |()| !self.is_near());
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        self.is_near()
    }
}
