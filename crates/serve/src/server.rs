//! The server itself: from the port to the threads, and their end.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::address::Address;
use crate::files::Files;
use crate::handler::Handler;
use crate::options::{Asset, Options};
use crate::roster::Roster;
use crate::routes::SOCKET;
use crate::shared::{End, Shared};
use crate::visit::{turn_away, visit};

/// How long connections have to say goodbye at the end, and after that to be gone.
const GOODBYE: Duration = Duration::from_millis(100);
const GONE: Duration = Duration::from_millis(50);

/// The pause after a connection could not be taken: without files left, trying again at once would fail again.
const BREATH: Duration = Duration::from_millis(50);

/// Why a server can't begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// The address or the port is not to be had.
    #[error("can't listen at {address}: {error}; port 0 is any that is free")]
    Port {
        /// Where the server was to listen.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The system has no secret numbers to give.
    #[error("the system has no random numbers: {0}")]
    Random(getrandom::Error),
    /// An asset can't be served.
    #[error("the asset `{path}` can't be served: {why}")]
    Asset {
        /// Its path.
        path: &'static str,
        /// Why not.
        why: &'static str,
    },
}

/// How many are there, for those who watch over a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Connections whose request is read or answered.
    pub requests: usize,
    /// WebSockets.
    pub sockets: usize,
    /// The bytes that wait to be read by the peers of all WebSockets, each message with 64 more.
    pub waiting: usize,
}

/// A server that has its port, and answers once it runs.
pub struct Server {
    listener: TcpListener,
    local: SocketAddr,
    shared: Arc<Shared>,
}

/// Ends a server from elsewhere. Clones end the same server.
#[derive(Clone)]
pub struct Stopper {
    local: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// A server with a port and a new secret in its address. It serves `assets`, opens and saves `files`, and has `handler`
    /// talk to the page.
    ///
    /// # Errors
    /// If it can't listen there; if an asset has no proper path or content type, or the path of another.
    pub fn bind(
        options: Options,
        assets: Vec<Asset>,
        files: Files,
        handler: impl Handler,
    ) -> Result<Self, BindError> {
        demand_proper(&assets)?;
        let address = SocketAddr::new(options.address, options.port);
        let no_port = |error| BindError::Port { address, error };
        let listener = TcpListener::bind(address).map_err(no_port)?;
        let local = listener.local_addr().map_err(no_port)?;
        let shared = Arc::new(Shared {
            address: Address::new(local, &options.hosts).map_err(BindError::Random)?,
            assets,
            files: Arc::new(files),
            handler: Box::new(handler),
            requests: Roster::new(options.limits.requests),
            sockets: Roster::new(options.limits.sockets),
            limits: options.limits,
            end: End::default(),
        });
        Ok(Self {
            listener,
            local,
            shared,
        })
    }

    /// The address that a browser opens, with the secret: `http://127.0.0.1:PORT/TOKEN/`. Whoever knows it may do what the
    /// page may.
    pub fn address(&self) -> String {
        self.shared.address.link()
    }

    /// What ends this server, from any thread.
    pub fn stopper(&self) -> Stopper {
        Stopper {
            local: self.local,
            shared: Arc::clone(&self.shared),
        }
    }

    /// How many are there.
    pub fn counts(&self) -> Counts {
        self.stopper().counts()
    }

    /// Answers until it is stopped. Then it is done within 200 ms: connections are told, and cut off if they do not go; a
    /// peer that is still busy is left behind.
    ///
    /// # Errors
    /// If there is no thread for looking at files.
    pub fn run(&self) -> io::Result<()> {
        let shared = Arc::clone(&self.shared);
        thread::Builder::new()
            .name("file watcher".to_owned())
            .spawn(move || watch(&shared))?;
        while !self.shared.end.is_near() {
            match self.listener.accept() {
                Ok((stream, _)) => self.admit(stream),
                Err(_) => {
                    self.shared.end.wait(BREATH);
                }
            }
        }
        self.clear();
        Ok(())
    }

    /// Gives a connection a thread, if there are not too many.
    fn admit(&self, stream: TcpStream) {
        if self.shared.end.is_near() {
            return;
        }
        let stream = Arc::new(stream);
        let Some(place) = self.shared.requests.enter(Arc::clone(&stream)) else {
            return turn_away(&stream, "too many requests at once: try again");
        };
        let shared = Arc::clone(&self.shared);
        let own = Arc::clone(&stream);
        let thread = thread::Builder::new().name("connection".to_owned());
        let spawned = thread.spawn(move || visit(&shared, &own, place));
        if spawned.is_err() {
            turn_away(&stream, "no thread is left for this connection");
        }
    }

    /// Has all connections end.
    fn clear(&self) {
        let Shared {
            requests, sockets, ..
        } = &*self.shared;
        for socket in sockets.list() {
            socket.say_goodbye();
        }
        let goodbye = Instant::now() + GOODBYE;
        sockets.wait_until_empty(goodbye);
        requests.wait_until_empty(goodbye);
        for socket in sockets.list() {
            socket.cut();
        }
        for stream in requests.list() {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
        let gone = Instant::now() + GONE;
        sockets.wait_until_empty(gone);
        requests.wait_until_empty(gone);
    }
}

impl Stopper {
    /// Ends the server, which need not run yet.
    pub fn stop(&self) {
        self.shared.end.announce();
        // The server waits for a connection; this is one.
        let here: IpAddr = match self.local.ip() {
            ip if !ip.is_unspecified() => ip,
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        };
        let _ = TcpStream::connect_timeout(&SocketAddr::new(here, self.local.port()), GOODBYE);
    }

    /// How many are there.
    pub fn counts(&self) -> Counts {
        let sockets = self.shared.sockets.list();
        Counts {
            requests: self.shared.requests.len(),
            sockets: sockets.len(),
            waiting: sockets.iter().map(|socket| socket.waiting()).sum(),
        }
    }
}

/// Looks at the files of all connections, again and again.
fn watch(shared: &Shared) {
    while !shared.end.wait(shared.limits.look_every) {
        for socket in shared.sockets.list() {
            socket.look_at_files();
        }
    }
}

/// Refuses assets that could not be told apart, or would break the head of an answer.
fn demand_proper(assets: &[Asset]) -> Result<(), BindError> {
    for (at, asset) in assets.iter().enumerate() {
        let is_plain = |text: &str| text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        let why = if asset.path == SOCKET {
            "this is the path of the WebSocket"
        } else if asset.path.starts_with('/') {
            "its path begins with `/`"
        } else if !is_plain(asset.path) || asset.path.contains(['?', '#', '%', ' ', '\\']) {
            "its path has a character that a browser would write otherwise"
        } else if !is_plain(asset.content_type) || !asset.content_type.contains('/') {
            "its content type is none"
        } else if assets[..at].iter().any(|other| other.path == asset.path) {
            "another one has the same path"
        } else {
            continue;
        };
        let path = asset.path;
        return Err(BindError::Asset { path, why });
    }
    Ok(())
}
