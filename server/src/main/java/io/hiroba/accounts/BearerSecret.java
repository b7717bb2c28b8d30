package io.hiroba.accounts;

import io.hiroba.platform.id.Sha256;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The secret of a session, an API token, a known device, a log-in under way, a challenge, an invitation, or of an app and what it is given:
 * 256 random bits as text, with a prefix by which secret scanners recognize it. So
 * many bits need no slow hash: their SHA-256 is stored and looked up.
 */
record BearerSecret(String text) {

    static final String SESSION = "hrs_";

    /** Of a session that was begun where people come by TLS: it is taken from no cookie that another host could have set. */
    static final String HOST_SESSION = "hrh_";

    static final String TOKEN = "hrb_";
    static final String DEVICE = "hrd_";
    static final String PENDING = "hrl_";
    static final String CHALLENGE = "hrc_";
    static final String INVITATION = "hri_";
    static final String OIDC = "hro_";
    static final String CODE = "hrg_";
    static final String REFRESH = "hrr_";
    static final String CLIENT = "hra_";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 32;
    private static final int LENGTH = 4 + 43;

    static BearerSecret random(String prefix) {
        var bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new BearerSecret(prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** Whether it has the format of such a secret, so that a lookup makes sense. */
    boolean isWellFormed(String prefix) {
        return text.length() == LENGTH && text.startsWith(prefix);
    }

    boolean isSession() {
        return isWellFormed(SESSION) || isWellFormed(HOST_SESSION);
    }

    byte[] hash() {
        return Sha256.of(text);
    }

    @Override
    public String toString() {
        return "Secret[…]";
    }
}
