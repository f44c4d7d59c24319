//! One connection, from its request to its end.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;

use crate::files::OpenFiles;
use crate::request::{self, Failure, Request};
use crate::response::{Response, write_upgrade};
use crate::roster::Place;
use crate::routes::{Route, route};
use crate::shared::Shared;
use crate::socket::Socket;
use crate::timed::{Timed, finish};

/// Reads a request and answers it, or goes on as a WebSocket.
pub(crate) fn visit(shared: &Shared, stream: &Arc<TcpStream>, place: Place<Arc<TcpStream>>) {
    let _ = stream.set_nodelay(true);
    let limits = &shared.limits;
    let request = match request::read(&mut Timed::new(stream, limits.request_time), limits) {
        Ok(request) => request,
        Err(Failure::Gone) => return,
        Err(Failure::Refused(response)) => return answer(shared, stream, &response, false),
    };
    match route(&request, &shared.address, &shared.assets) {
        Ok(Route::Asset(asset)) => {
            answer(shared, stream, &Response::asset(asset), request.is_head);
        }
        Ok(Route::Socket(accept)) => socket(shared, stream, place, request, &accept),
        Err(response) => answer(shared, stream, &response, request.is_head),
    }
}

fn answer(shared: &Shared, stream: &TcpStream, response: &Response, is_head: bool) {
    let mut out = Timed::new(stream, shared.limits.response_time);
    if response.write(&mut out, is_head).is_ok() {
        finish(stream, shared.limits.last_words);
    }
}

fn socket(
    shared: &Shared,
    stream: &Arc<TcpStream>,
    place: Place<Arc<TcpStream>>,
    request: Request,
    accept: &str,
) {
    let limits = &shared.limits;
    let files = OpenFiles::new(Arc::clone(&shared.files));
    let socket = Arc::new(Socket::new(Arc::clone(stream), files, limits));
    let Some(_seat) = shared.sockets.enter(Arc::clone(&socket)) else {
        let most = limits.sockets;
        let why = format!("{most} pages are open already: close one of them");
        return answer(shared, stream, &Response::too_many(why), false);
    };
    drop(place);
    let _cut = Cut(&socket);
    let mut out = Timed::new(stream, limits.response_time);
    // Whoever announces the end says it to all who are there by then; this one may have come later.
    if write_upgrade(&mut out, accept).is_err() || shared.end.is_near() {
        return;
    }
    socket.talk(request.rest, &*shared.handler, limits);
}

/// Ends a connection in the end, also when a peer panics: the thread that writes would wait for ever.
struct Cut<'s>(&'s Socket);

impl Drop for Cut<'_> {
    fn drop(&mut self) {
        self.0.cut();
    }
}

/// Says that there are too many connections, without waiting for anything.
pub(crate) fn turn_away(stream: &TcpStream, why: &str) {
    if stream.set_nonblocking(true).is_err() {
        return;
    }
    let mut bytes = Vec::new();
    let mut stream = stream;
    let _ = stream.read(&mut [0; 4096]);
    let response = Response::too_many(why.to_owned());
    if response.write(&mut bytes, false).is_ok() {
        let _ = stream.write(&bytes);
    }
    let _ = stream.shutdown(Shutdown::Write);
}
