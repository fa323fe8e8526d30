package voight

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"
)

const (
	// Minimum time between two fetches for unknown keys, and between a failed fetch and the next refresh.
	keyRetry = 30 * time.Second

	// Maximum time between two refreshes, since a key may be retired; the service's max-age can shorten it.
	maxKeyAge = 300 * time.Second

	// Time for which a key is used after the last set that lists it.
	keyLifetime = time.Hour

	// Seconds for which a retired key may still have signed: nodes learn of a rotation with a delay, and clocks differ.
	retirementMargin = 60
)

var maxAgeForm = regexp.MustCompile(`\bmax-age=(\d+)`)

type verificationKey struct {
	public ed25519.PublicKey

	// Latest time of issue of its receipts, in seconds since the epoch.
	until int64

	// Time of the last set that lists it.
	seenAt time.Time
}

// keyCache has the public keys of the service. They are fetched once for all callers, refreshed in the background, and kept while the
// service is unreachable.
type keyCache struct {
	mutex sync.Mutex
	keys  map[string]verificationKey

	// Closed at the end of the fetch in progress; nil if there is none.
	fetching chan struct{}

	// Error of the last fetch.
	failure error

	// Times of the next refresh, and of the next fetch for an unknown key.
	refreshAt, searchAt time.Time
}

// findKey returns a key; nil if the service does not list it. A known key never waits for the network. An unknown one may be new, and
// waits for a fetch.
func (c *Client) findKey(ctx context.Context, kid string) (*verificationKey, error) {
	cache := &c.keys
	cache.mutex.Lock()
	defer cache.mutex.Unlock()
	now := time.Now()
	for id, key := range cache.keys {
		if now.Sub(key.seenAt) > keyLifetime {
			delete(cache.keys, id)
		}
	}
	if known, isKnown := cache.keys[kid]; isKnown {
		if !now.Before(cache.refreshAt) {
			c.startFetch()
		}
		return &known, nil
	}
	if cache.fetching != nil || len(cache.keys) == 0 || !now.Before(cache.searchAt) {
		if cache.fetching == nil && len(cache.keys) > 0 {
			cache.searchAt = now.Add(keyRetry)
		}
		if err := c.waitForKeys(ctx); err != nil {
			return nil, err
		}
	}
	if key, isKnown := cache.keys[kid]; isKnown {
		return &key, nil
	}
	return nil, cache.failure
}

// waitForKeys waits for the fetch that all callers share. It starts one if none is in progress, and releases the lock meanwhile.
func (c *Client) waitForKeys(ctx context.Context) error {
	fetching := c.startFetch()
	c.keys.mutex.Unlock()
	defer c.keys.mutex.Lock()
	select {
	case <-fetching:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// startFetch starts a fetch, unless one is in progress. It outlives the call that has caused it. The caller holds the lock.
func (c *Client) startFetch() <-chan struct{} {
	cache := &c.keys
	if cache.fetching == nil {
		cache.fetching = make(chan struct{})
		go func() {
			keys, age, err := c.fetchKeys(context.Background())
			cache.mutex.Lock()
			defer cache.mutex.Unlock()
			if err != nil {
				age = keyRetry
			}
			cache.add(keys)
			cache.failure, cache.refreshAt = err, time.Now().Add(age)
			close(cache.fetching)
			cache.fetching = nil
		}()
	}
	return cache.fetching
}

func (c *keyCache) add(keys map[string]verificationKey) {
	if c.keys == nil {
		c.keys = map[string]verificationKey{}
	}
	for kid, key := range keys {
		c.keys[kid] = key
	}
}

// fetchKeys returns the keys that the service lists, and the time until they are to be fetched again.
func (c *Client) fetchKeys(ctx context.Context) (map[string]verificationKey, time.Duration, error) {
	r := request{operation: OpGetKeys, withoutKey: true}
	answer, err := c.perform(ctx, r, c.deadline(c.timeout, attemptTimeout))
	if err != nil {
		return nil, 0, err
	}
	var set KeySet
	if err := dataOf(OpGetKeys, answer, &set); err != nil {
		return nil, 0, err
	}
	keys := map[string]verificationKey{}
	for index, jwk := range set.Keys {
		if key, isValid := parseKey(jwk, index); isValid {
			keys[jwk.Kid] = key
		}
	}
	if len(keys) == 0 {
		return nil, 0, badAnswer(answer, "sends no keys")
	}
	return keys, maxAge(answer.headers), nil
}

// parseKey parses a key; false for another kind of key. The first key is the one in use; any other is valid for receipts that are
// dated before its retirement.
func parseKey(jwk PublicJwk, index int) (verificationKey, bool) {
	public, err := base64.RawURLEncoding.DecodeString(jwk.X)
	if jwk.Crv != "Ed25519" || err != nil || len(public) != ed25519.PublicKeySize {
		return verificationKey{}, false
	}
	key := verificationKey{public: public, until: math.MinInt64, seenAt: time.Now()}
	if jwk.RetiredAt == nil && index == 0 {
		key.until = math.MaxInt64
	} else if jwk.RetiredAt != nil {
		if retired, err := time.Parse(time.RFC3339, *jwk.RetiredAt); err == nil {
			key.until = retired.Unix() + retirementMargin
		}
	}
	return key, true
}

func maxAge(headers http.Header) time.Duration {
	age := maxKeyAge
	if form := maxAgeForm.FindStringSubmatch(headers.Get("cache-control")); form != nil {
		if seconds, err := strconv.Atoi(form[1]); err == nil && seconds < int(maxKeyAge/time.Second) {
			age = time.Duration(seconds) * time.Second
		}
	}
	return age
}
