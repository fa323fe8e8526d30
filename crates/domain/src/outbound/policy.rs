//! Policy of outbound connections, from the settings of an operator.

use super::address::{BlockedAddress, verify_address};
use super::target::{OutboundHost, TargetError, TargetUrl};
use ipnet::IpNet;
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};

/// Port that is always permitted.
pub const HTTPS_PORT: u16 = 443;
/// Name that is always the loopback address, as every name below it (RFC 6761).
const LOOPBACK_NAME: &str = "localhost";

/// Permitted ports and networks of targets.
///
/// The default is port 443 of every address of the internet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutboundPolicy {
    /// Ports beside 443.
    ports: BTreeSet<u16>,
    /// Special networks that targets may be in.
    allow_networks: Vec<IpNet>,
}

impl OutboundPolicy {
    /// Creates a policy that permits `ports` beside 443, and special networks within `allow_networks`.
    pub fn new(ports: impl IntoIterator<Item = u16>, allow_networks: Vec<IpNet>) -> Self {
        Self {
            ports: ports.into_iter().collect(),
            allow_networks,
        }
    }

    /// Parses a URL and verifies its port and, if its host is an IP address, that address.
    pub fn parse_target(&self, text: &str) -> Result<TargetUrl, TargetError> {
        let target = TargetUrl::parse(text)?;
        self.verify_target(&target)?;
        Ok(target)
    }

    /// Verifies the port of a target and, if its host is an IP address, that address.
    ///
    /// The addresses of a name are verified by [`verify_answers`](Self::verify_answers) at each attempt, because they
    /// change.
    pub fn verify_target(&self, target: &TargetUrl) -> Result<(), TargetError> {
        let port = target.port();
        if port != HTTPS_PORT && !self.ports.contains(&port) {
            let permitted = [HTTPS_PORT].into_iter().chain(self.ports.iter().copied());
            return Err(TargetError::Port {
                port,
                permitted: permitted.collect(),
            });
        }
        let literal = match target.host() {
            OutboundHost::Literal(address) => Some(address),
            OutboundHost::Name(name) if is_loopback_name(name) => Some(Ipv4Addr::LOCALHOST.into()),
            OutboundHost::Name(_) => None,
        };
        literal.map_or(Ok(()), |address| Ok(self.verify_address(address)?))
    }

    /// Verifies that the service may connect to an address.
    pub fn verify_address(&self, address: IpAddr) -> Result<(), BlockedAddress> {
        verify_address(address, &self.allow_networks)
    }

    /// Verifies all addresses of a name. One blocked address rejects the name: the caller connects to none of the others.
    pub fn verify_answers(&self, addresses: &[IpAddr]) -> Result<(), TargetError> {
        if addresses.is_empty() {
            return Err(TargetError::NoAddress);
        }
        for address in addresses {
            self.verify_address(*address)?;
        }
        Ok(())
    }
}

fn is_loopback_name(name: &str) -> bool {
    name.strip_suffix(LOOPBACK_NAME)
        .is_some_and(|subdomain| subdomain.is_empty() || subdomain.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> OutboundPolicy {
        OutboundPolicy::new([8443, 9443], vec!["10.0.0.0/8".parse().unwrap()])
    }

    fn sentence(policy: &OutboundPolicy, url: &str) -> String {
        policy.parse_target(url).unwrap_err().to_string()
    }

    #[test]
    fn only_configured_ports_are_permitted() {
        let names = ["https://hooks.example", "https://hooks.example:443/"];
        for url in names {
            assert!(OutboundPolicy::default().parse_target(url).is_ok(), "{url}");
        }
        assert!(policy().parse_target("https://hooks.example:9443/").is_ok());
        assert_eq!(
            sentence(&policy(), "https://hooks.example:80/"),
            "port 80 is not permitted; use one of: 443, 8443, 9443"
        );
        assert_eq!(
            sentence(&OutboundPolicy::default(), "https://hooks.example:0/"),
            "port 0 is not permitted; use one of: 443"
        );
    }

    #[test]
    fn literals_are_verified_in_every_spelling() {
        let default_policy = OutboundPolicy::default();
        for host in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0177.1",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "localhost",
            "LOCALHOST",
            "a.localhost",
        ] {
            let error = sentence(&default_policy, &format!("https://{host}/"));
            assert!(error.contains("loopback"), "{host}: {error}");
        }
        assert!(default_policy.parse_target("https://1.1.1.1/").is_ok());
        assert!(default_policy.parse_target("https://notlocalhost/").is_ok());
        assert!(policy().parse_target("https://10.1.2.3:8443/").is_ok());
    }

    #[test]
    fn one_blocked_answer_rejects_the_name() {
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let public = [address("1.1.1.1"), address("2606:4700::1")];
        assert_eq!(policy().verify_answers(&public), Ok(()));
        assert_eq!(policy().verify_answers(&[]), Err(TargetError::NoAddress));
        for blocked in ["127.0.0.1", "::1", "192.168.0.1", "169.254.169.254"] {
            for position in 0..=public.len() {
                let mut answers = public.to_vec();
                answers.insert(position, address(blocked));
                let error = policy().verify_answers(&answers);
                assert!(matches!(error, Err(TargetError::Blocked(_))), "{answers:?}");
            }
        }
    }

    #[test]
    fn errors_show_no_address() {
        let answers = ["192.168.7.9".parse().unwrap()];
        let error = policy().verify_answers(&answers).unwrap_err().to_string();
        assert_eq!(
            error,
            "the host of the URL is not on the internet: 192.168.0.0/16 is reserved for private use (RFC 1918); \
             give a host that is"
        );
    }
}
