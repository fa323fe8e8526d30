//! No byte of a body is read before its call is authorised.

use crate::window::service::{Service, SolvedCheck};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;
use voight_http::{HttpSettings, serve_public};

/// Returns the response to a call that announces a body and never sends it.
async fn announced(address: SocketAddr, check: &SolvedCheck) -> String {
    let head = format!(
        "POST /window/v1/checks/{}/evidence HTTP/1.1\r\nhost: voight.example\r\ncontent-type: application/json\r\n\
         content-length: 60000\r\nx-voight-challenge: {}\r\nx-voight-work: {}\r\n\r\n",
        check.id, check.challenge, check.work,
    );
    let talk = move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let mut buffer = [0; 4096];
        let length = stream.read(&mut buffer).unwrap();
        String::from_utf8(buffer[..length].to_vec()).unwrap()
    };
    actix_web::web::block(talk).await.unwrap()
}

#[actix_web::test]
async fn body_is_read_after_proof_of_work() {
    let patience = Duration::from_millis(300);
    let settings = HttpSettings {
        body_timeout: patience,
        workers: Some(1),
        ..HttpSettings::default()
    };
    let service = Service::with_settings(settings).await;
    let mut check = service.open().await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = serve_public(listener, &service.app.state).unwrap();
    let handle = server.handle();
    actix_web::rt::spawn(server);

    let admitted_answer = announced(address, &check).await;
    assert!(
        admitted_answer.starts_with("HTTP/1.1 408"),
        "{admitted_answer}"
    );
    check.work.push('x');
    let rejection = announced(address, &check).await;
    assert!(
        rejection.starts_with("HTTP/1.1 403") && rejection.contains("CHECK_REFUSED"),
        "{rejection}"
    );
    handle.stop(false).await;
}
