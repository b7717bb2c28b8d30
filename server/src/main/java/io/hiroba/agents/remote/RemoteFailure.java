package io.hiroba.agents.remote;

import io.hiroba.platform.http.SafeAddressResolver;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A request to another server that was not answered as it should be. */
final class RemoteFailure extends Exception {

    private static final long serialVersionUID = 1L;
    private static final int MAX_SAID = 2_000;

    /** The kinds of failures. */
    enum Kind {
        PRIVATE_ADDRESS(false, "its address is not a public one"),
        NO_HOST(false, "there is no such host"),
        CERTIFICATE(false, "its certificate is not trusted"),
        CREDENTIAL(false, "its credential cannot be read"),
        /** 401 or 403. */
        REFUSED(false, "it refused the credential"),
        /** Any other status of 3xx or 4xx. */
        STATUS(false, "it refused the request"),
        /** A protocol that is not spoken here. */
        VERSION(false, "it speaks another version of the protocol"),
        /** An error in the words of the server. */
        ERROR(false, "it answered with an error"),
        NO_AUTHORIZATION(false, "it asks for no authorization"),
        OTHER_RESOURCE(false, "its metadata are those of another resource"),
        AUTHORIZATION_SERVER(false, "it names no authorization server that can be used"),
        OTHER_ISSUER(false, "the authorization server is another one than it says"),
        NO_PKCE(false, "the authorization server does not support PKCE"),
        NO_REGISTRATION(false, "the authorization server registers no client"),
        NOT_AUTHORIZED(false, "the authorization server gave no access"),
        TOKEN_REFUSED(false, "the authorization server gave no token"),
        /** It was connected, and its tokens are good no more. */
        DISCONNECTED(false, "an admin has to connect it again"),
        CONNECTION(true, "the connection broke"),
        TIMEOUT(true, "it did not answer in time"),
        SERVER_ERROR(true, "it failed"),
        TOO_LONG(true, "its answer is too long"),
        NOT_MCP(true, "its answer is not that of a server of the Model Context Protocol");

        private final boolean mayHaveActed;
        private final String sentence;

        Kind(boolean mayHaveActed, String sentence) {
            this.mayHaveActed = mayHaveActed;
            this.sentence = sentence;
        }

        String code() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private final Kind kind;
    private final String said;
    private boolean unauthorized;

    RemoteFailure(Kind kind) {
        this(kind, "", null);
    }

    /** @param said the error in the words of the server, which are data */
    RemoteFailure(Kind kind, String said, @Nullable Throwable cause) {
        super(kind.sentence, cause);
        this.kind = kind;
        this.said = said.length() > MAX_SAID ? said.substring(0, MAX_SAID) : said;
    }

    static RemoteFailure of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case SafeAddressResolver.Refused refused -> {
                    return new RemoteFailure(Kind.PRIVATE_ADDRESS, "", failure);
                }
                case TimeoutException late -> {
                    return new RemoteFailure(Kind.TIMEOUT, "", failure);
                }
                case UnknownHostException unknown -> {
                    return new RemoteFailure(Kind.NO_HOST, "", failure);
                }
                case SSLException untrusted -> {
                    return new RemoteFailure(Kind.CERTIFICATE, "", failure);
                }
                case BoundedInput.TooLong tooLong -> {
                    return new RemoteFailure(Kind.TOO_LONG, "", failure);
                }
                default -> {}
            }
        }
        return new RemoteFailure(Kind.CONNECTION, "", failure);
    }

    static RemoteFailure ofStatus(int status) {
        var failure = new RemoteFailure(
                status == 401 || status == 403
                        ? Kind.REFUSED
                        : status >= 500 ? Kind.SERVER_ERROR : status >= 300 ? Kind.STATUS : Kind.NOT_MCP);
        failure.unauthorized = status == 401;
        return failure;
    }

    /** Whether another credential may be good: nothing was done. */
    boolean isUnauthorized() {
        return unauthorized;
    }

    Kind kind() {
        return kind;
    }

    String said() {
        return said;
    }

    /** Whether what was asked for may have been done all the same. */
    boolean mayHaveActed() {
        return kind.mayHaveActed;
    }
}
