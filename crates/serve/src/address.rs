//! The address of a server: its secret, and the names by which browsers may ask for it.

use std::net::{IpAddr, SocketAddr};

use data_encoding::HEXLOWER;
use subtle::ConstantTimeEq as _;

/// The bytes of the secret: 256 bits.
const SECRET: usize = 32;

/// Where a server is found, and how it knows that somebody was told so.
pub(crate) struct Address {
    /// In digits to base 16.
    token: String,
    /// What a browser may say in `Host`, in lower case; the first is the server's own.
    hosts: Vec<String>,
}

impl Address {
    /// The address of a server that listens at `local`, with a new secret; `more` are further hosts by which it is reached.
    pub(crate) fn new(local: SocketAddr, more: &[String]) -> Result<Self, getrandom::Error> {
        let mut secret = [0; SECRET];
        getrandom::fill(&mut secret)?;
        let port = local.port();
        let own = match local.ip() {
            ip if !ip.is_unspecified() => host_of(ip, port),
            IpAddr::V4(_) => format!("127.0.0.1:{port}"),
            IpAddr::V6(_) => format!("[::1]:{port}"),
        };
        let mut hosts = vec![own];
        for name in ["127.0.0.1", "localhost", "[::1]"] {
            hosts.push(format!("{name}:{port}"));
        }
        hosts.extend(more.iter().map(|host| host.to_ascii_lowercase()));
        // Browsers leave the port of HTTP out.
        let short: Vec<String> = hosts
            .iter()
            .filter_map(|host| Some(host.strip_suffix(":80")?.to_owned()))
            .collect();
        hosts.extend(short);
        let token = HEXLOWER.encode(&secret);
        Ok(Self { token, hosts })
    }

    /// What a browser is given: `http://127.0.0.1:40000/TOKEN/`.
    pub(crate) fn link(&self) -> String {
        format!("http://{}/{}/", self.hosts[0], self.token)
    }

    /// The server's own host.
    pub(crate) fn host(&self) -> &str {
        &self.hosts[0]
    }

    /// Whether this is the secret, in a time that hangs on its length alone.
    pub(crate) fn is_token(&self, guess: &str) -> bool {
        self.token.as_bytes().ct_eq(guess.as_bytes()).into()
    }

    /// Whether a request for this host is one for this server. A page whose name was made to lead here names another.
    pub(crate) fn is_host(&self, host: &str) -> bool {
        self.hosts.contains(&host.to_ascii_lowercase())
    }

    /// Whether a page of this origin comes from this server, which was asked for as `host`.
    pub(crate) fn is_origin(&self, origin: &str, host: &str) -> bool {
        let from = origin.strip_prefix("http://");
        self.is_host(host) && from.is_some_and(|from| from.eq_ignore_ascii_case(host))
    }
}

/// As a browser writes it.
fn host_of(ip: IpAddr, port: u16) -> String {
    SocketAddr::new(ip, port).to_string()
}

#[cfg(test)]
mod tests {
    use super::Address;

    fn address(local: &str, more: &[&str]) -> Address {
        let more: Vec<String> = more.iter().map(|&host| host.to_owned()).collect();
        let local = local.parse().expect("an address");
        Address::new(local, &more).expect("there is randomness")
    }

    #[test]
    fn hosts_are_names_of_this_machine_with_this_port() {
        let address = address("127.0.0.1:4000", &["Dev.example:9000"]);
        for (host, is_own) in [
            ("127.0.0.1:4000", true),
            ("LocalHost:4000", true),
            ("[::1]:4000", true),
            ("dev.example:9000", true),
            ("127.0.0.1", false),
            ("127.0.0.1:40000", false),
            ("127.0.0.1:4000.evil.example", false),
            ("evil.example:4000", false),
            ("localhost.evil.example:4000", false),
            ("dev.example:4000", false),
            ("", false),
        ] {
            assert_eq!(address.is_host(host), is_own, "{host}");
        }
    }

    #[test]
    fn only_a_named_address_is_one_of_the_hosts() {
        assert!(address("192.0.2.7:4000", &[]).is_host("192.0.2.7:4000"));
        let everywhere = address("0.0.0.0:4000", &[]);
        assert!(!everywhere.is_host("0.0.0.0:4000"));
        assert!(!everywhere.is_host("192.0.2.7:4000"));
        assert!(everywhere.link().starts_with("http://127.0.0.1:4000/"));
        assert!(
            address("[::]:4000", &[])
                .link()
                .starts_with("http://[::1]:4000/")
        );
        assert!(address("127.0.0.1:80", &[]).is_host("localhost"));
        assert!(!address("127.0.0.1:8080", &[]).is_host("localhost"));
    }

    #[test]
    fn an_origin_is_that_of_the_host_that_was_asked_for() {
        let address = address("127.0.0.1:4000", &[]);
        for (origin, host, is_own) in [
            ("http://127.0.0.1:4000", "127.0.0.1:4000", true),
            ("http://localhost:4000", "localhost:4000", true),
            ("http://localhost:4000", "127.0.0.1:4000", false),
            ("https://127.0.0.1:4000", "127.0.0.1:4000", false),
            ("http://127.0.0.1:4001", "127.0.0.1:4000", false),
            ("http://127.0.0.1:4000/", "127.0.0.1:4000", false),
            ("http://evil.example", "evil.example", false),
            ("null", "127.0.0.1:4000", false),
            ("", "127.0.0.1:4000", false),
        ] {
            assert_eq!(
                address.is_origin(origin, host),
                is_own,
                "{origin} at {host}"
            );
        }
    }

    #[test]
    fn every_server_has_another_secret_and_no_part_of_it_is_enough() {
        let one = address("127.0.0.1:4000", &[]);
        let other = address("127.0.0.1:4000", &[]);
        assert_ne!(one.token, other.token);
        assert_eq!(one.token.len(), 64);
        assert!(one.is_token(&one.token));
        for end in 0..one.token.len() {
            assert!(!one.is_token(&one.token[..end]));
        }
        assert!(!one.is_token(&format!("{}0", one.token)));
        assert!(!one.is_token(&one.token.to_uppercase()) || one.token == one.token.to_uppercase());
    }
}
