"""Which hosts may drive the phone: adb's public keys and the signatures that prove them.

After `packages/modules/adb/daemon/auth.cpp` and `libadbd_auth` (Android 9 to 15), and for the form of a key
`system/core/libcrypto_utils/android_pubkey.cpp`: words, n0inv, modulus, rr, exponent, little-endian, in base64.
"""

import base64
import binascii
import hmac
import struct
from typing import NamedTuple

TOKEN_BYTES = 20
_SHA1_INFO = bytes.fromhex("3021300906052b0e03021a05000414")


class PublicKey(NamedTuple):
    """An RSA key of a host."""

    modulus: int
    """n."""
    exponent: int
    """e."""
    name: str
    """`user@host`, as the host says."""


def read_key(text: bytes) -> PublicKey | None:
    """The key in the payload of an AUTH packet of kind 3; None where there is none."""
    encoded, _, name = text.rstrip(b"\0").partition(b" ")
    try:
        raw = base64.b64decode(encoded, validate=True)
        (words,) = struct.unpack_from("<I", raw)
        size = words * 4
        if not 16 <= words <= 256 or len(raw) != 12 + 2 * size:
            return None
        (exponent,) = struct.unpack_from("<I", raw, 8 + 2 * size)
    except (binascii.Error, struct.error):
        return None
    return PublicKey(int.from_bytes(raw[8 : 8 + size], "little"), exponent, name.decode(errors="replace"))


def signed_by(key: PublicKey, token: bytes, signature: bytes) -> bool:
    """Whether `signature` is the key's PKCS#1 v1.5 signature of the token, taken as a SHA-1 digest."""
    size = (key.modulus.bit_length() + 7) // 8
    if len(signature) != size:
        return False
    tail = _SHA1_INFO + token
    expected = b"\0\1" + b"\xff" * (size - len(tail) - 3) + b"\0" + tail
    found = pow(int.from_bytes(signature, "big"), key.exponent, key.modulus).to_bytes(size, "big")
    return hmac.compare_digest(found, expected)
