package voight

import (
	"context"
	"crypto/ed25519"
	"time"
)

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
