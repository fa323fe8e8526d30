//! Connections through an HTTP proxy.

use crate::exchange::{RequestBody, drive, failure, handshake};
use crate::message::insert;
use hyper::header::HOST;
use hyper::upgrade::{self, Upgraded};
use hyper::{Method, Request, Uri};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use voight_domain::outbound::TargetUrl;
use voight_domain::ports::OutboundError;

/// Opens a connection to the target through a proxy, by the method `CONNECT`.
pub(crate) async fn open_tunnel(
    stream: TcpStream,
    target: &TargetUrl,
) -> Result<TokioIo<Upgraded>, OutboundError> {
    let request = connect_request(target)?;
    let (mut sender, connection) = handshake(stream).await?;
    let exchange = async {
        let response = sender
            .send_request(request)
            .await
            .map_err(|error| proxy_failure(&error))?;
        let status = response.status();
        if !status.is_success() {
            return Err(OutboundError::Proxy(format!("it answered {status}")));
        }
        upgrade::on(response)
            .await
            .map_err(|error| proxy_failure(&error))
    };
    drive(connection.with_upgrades(), exchange)
        .await
        .map(TokioIo::new)
}

/// Creates the request: its target is host and port, without a path.
fn connect_request(target: &TargetUrl) -> Result<Request<RequestBody>, OutboundError> {
    let authority = match target.authority() {
        authority if authority.ends_with(&format!(":{}", target.port())) => authority.to_owned(),
        host => format!("{host}:{}", target.port()),
    };
    let uri: Uri = authority
        .parse()
        .map_err(|_| OutboundError::Proxy("the host cannot be sent to it".to_owned()))?;
    let mut request = Request::new(RequestBody::default());
    *request.method_mut() = Method::CONNECT;
    *request.uri_mut() = uri;
    insert(request.headers_mut(), HOST, &authority)?;
    Ok(request)
}

/// Returns the error of the HTTP library as an error of the proxy.
fn proxy_failure(error: &hyper::Error) -> OutboundError {
    match failure(error) {
        OutboundError::BrokenResponse(cause) => OutboundError::Proxy(cause),
        other_error => OutboundError::Proxy(other_error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxy_is_asked_for_host_and_port() {
        for (url, authority) in [
            ("https://hooks.example/a", "hooks.example:443"),
            ("https://hooks.example:8443/a", "hooks.example:8443"),
            ("https://1.1.1.1/", "1.1.1.1:443"),
            ("https://[2606:4700::1]/", "[2606:4700::1]:443"),
            // The address ends like the port.
            ("https://[2606:4700::443]/", "[2606:4700::443]:443"),
        ] {
            let request = connect_request(&TargetUrl::parse(url).unwrap()).unwrap();
            assert_eq!(request.uri().to_string(), authority);
            assert_eq!(request.headers()[HOST], authority);
        }
    }
}
