//! Attacks on a server that runs, and on its files.

mod ending;
mod files;
mod frames;
mod hostile_sockets;
mod links;
mod many;
mod requests;
mod saving;
mod sockets;
mod support;
mod watching;
