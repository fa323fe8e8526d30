package voight

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"math"
	"sync"
	"time"
)

const (
	// Minimum time between two fetches that receipts with unknown keys cause.
	refetch = 30 * time.Second

	// Maximum age of fetched keys, since a key may be retired.
	maxAge = 300 * time.Second

	// Seconds for which a retired key may still have signed: nodes learn of a rotation with a delay, and clocks differ.
	retirementMargin = 60
)

type verificationKey struct {
	public ed25519.PublicKey

	// Latest time of issue of its receipts, in seconds since the epoch.
	until int64
}

type keyCache struct {
	mutex     sync.Mutex
	keys      map[string]verificationKey
	fetchedAt time.Time
}

// VerifyReceipt verifies a receipt by its signature alone. It does not detect that a receipt was used before: use GetVerdict for that
// and for the verdict.
func (c *Client) VerifyReceipt(ctx context.Context, token string, subject Subject) (*Receipt, error) {
	subject, err := subject.parse()
	if err != nil {
		return nil, err
	}
	decoded, err := decodeReceipt(token)
	if err != nil {
		return nil, err
	}
	if decoded.header.Alg != "EdDSA" || decoded.header.Typ != "voight-receipt+jwt" {
		return nil, receiptError("forged", 0)
	}
	key, err := c.findKey(ctx, decoded.header.Kid)
	if err != nil {
		return nil, err
	}
	claims := decoded.claims
	if key == nil || !ed25519.Verify(key.public, []byte(decoded.signed), decoded.signature) || claims.Iat == nil || *claims.Iat > key.until {
		return nil, receiptError("forged", 0)
	}
	if claims.Exp == nil || time.Now().Unix() >= *claims.Exp {
		return nil, receiptError("expired", 0)
	}
	if err := requireSubject(claims.Context, claims.Address, subject); err != nil {
		return nil, err
	}
	return &Receipt{
		ContextID: subject.ContextID, EOAAddress: subject.EOAAddress, Origin: claims.Origin,
		OriginAllowlisted: claims.OriginAllowlisted, Owned: claims.Owned, Test: claims.Test,
		IssuedAt: time.Unix(*claims.Iat, 0).UTC(), ExpiresAt: time.Unix(*claims.Exp, 0).UTC(),
	}, nil
}

// findKey returns a key, or nil. An unknown key may be new, and old ones may be retired: both cause a fetch.
func (c *Client) findKey(ctx context.Context, kid string) (*verificationKey, error) {
	cache := &c.keys
	cache.mutex.Lock()
	defer cache.mutex.Unlock()
	_, isKnown := cache.keys[kid]
	age := time.Since(cache.fetchedAt)
	if age > maxAge || !isKnown && age > refetch {
		keys, err := c.fetchKeys(ctx)
		// A failed fetch removes no keys, and is not repeated for each receipt.
		if err != nil && !isKnown {
			return nil, err
		} else if err != nil {
			cache.fetchedAt = time.Now().Add(refetch - maxAge)
		} else {
			cache.keys, cache.fetchedAt = keys, time.Now()
		}
	}
	if key, isKnown := cache.keys[kid]; isKnown {
		return &key, nil
	}
	return nil, nil
}

func (c *Client) fetchKeys(ctx context.Context) (map[string]verificationKey, error) {
	r := request{operation: OpGetKeys, withoutKey: true}
	answer, err := c.perform(ctx, r, c.deadline(c.timeout, attemptTimeout))
	if err != nil {
		return nil, err
	}
	var set KeySet
	if err := dataOf(OpGetKeys, answer, &set); err != nil {
		return nil, err
	}
	if set.Keys == nil {
		return nil, badAnswer(answer, "sends another body")
	}
	keys := map[string]verificationKey{}
	for index, jwk := range set.Keys {
		public, err := base64.RawURLEncoding.DecodeString(jwk.X)
		if jwk.Crv != "Ed25519" || err != nil || len(public) != ed25519.PublicKeySize {
			continue
		}
		// The first key is the one in use; any other is valid for receipts that are dated before its retirement.
		key := verificationKey{public: public, until: math.MinInt64}
		if jwk.RetiredAt == nil && index == 0 {
			key.until = math.MaxInt64
		} else if jwk.RetiredAt != nil {
			if retired, err := time.Parse(time.RFC3339, *jwk.RetiredAt); err == nil {
				key.until = retired.Unix() + retirementMargin
			}
		}
		keys[jwk.Kid] = key
	}
	return keys, nil
}
