//! Who may connect: so many at once, and nobody for ever.
//!
//! A connection above the limit is closed at once, so that thousands of them cost a handshake each and
//! nothing more. One that does not ask for anything within a few seconds is closed, whether it has just been
//! opened or has asked before; so those that hold places for nothing make room for others soon. Every
//! connection ends after some minutes, also one whose reader does not read; the stream of events is opened
//! again by the browser itself.

use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::{Server, routes};

/// How many connections there are at once.
const MOST_CONNECTIONS: usize = 256;

/// How long the head of a request may take.
const TO_ASK: Duration = Duration::from_secs(5);

/// How long a connection lasts.
const LONGEST: Duration = Duration::from_secs(600);

/// How large the head of a request may be.
const HEAD: usize = 32 << 10;

/// Accepts connections for ever.
pub async fn serve(listener: TcpListener, server: Arc<Server>) {
    let router = routes::router(server);
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // There are too many open files, say: somebody has to close some first.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            drop(stream);
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let _ = stream.set_nodelay(true);
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(TO_ASK)
                .max_buf_size(HEAD)
                .serve_connection(TokioIo::new(stream), service);
            // What a client does wrong ends its own connection.
            let _ = tokio::time::timeout(LONGEST, connection).await;
            drop(place);
        });
    }
}
