//! What is at which path. Whoever does not know the secret learns nothing.

use crate::address::Address;
use crate::options::Asset;
use crate::request::Request;
use crate::response::Response;
use crate::upgrade;

/// The path of the WebSocket.
pub(crate) const SOCKET: &str = "socket";

/// What a request leads to.
pub(crate) enum Route<'a> {
    Asset(&'a Asset),
    /// A WebSocket; what the answer says.
    Socket(String),
}

/// What a request leads to.
pub(crate) fn route<'a>(
    request: &Request,
    address: &Address,
    assets: &'a [Asset],
) -> Result<Route<'a>, Response> {
    let path = below_token(&request.target, address).ok_or_else(Response::not_found)?;
    // Only who knows the secret is told of a wrong host: it may be the far end of a tunnel.
    if !address.is_host(&request.host) {
        let own = address.host();
        let why = format!("the `Host` of a request is `{own}`, or one that the server was told");
        return Err(Response::forbidden(why));
    }
    if path == SOCKET {
        return socket(request, address).map(Route::Socket);
    }
    let asset = assets.iter().find(|asset| asset.path == path);
    asset.map(Route::Asset).ok_or_else(Response::not_found)
}

/// `PATH` of `/TOKEN/PATH`.
fn below_token<'t>(target: &'t str, address: &Address) -> Option<&'t str> {
    let (token, path) = target.strip_prefix('/')?.split_once('/')?;
    address.is_token(token).then_some(path)
}

fn socket(request: &Request, address: &Address) -> Result<String, Response> {
    if request.is_head {
        return Err(Response::no_upgrade("this is the address of a WebSocket"));
    }
    // Browsers let any page open a WebSocket anywhere, but say whose page it is.
    let origin = request.origin.as_deref().unwrap_or_default();
    if !address.is_origin(origin, &request.host) {
        let why = "the `Origin` of a WebSocket is the page of this server";
        return Err(Response::forbidden(why.to_owned()));
    }
    upgrade::accept(&request.wanted)
}
