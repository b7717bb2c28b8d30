package io.hiroba.knowledge.embedding;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A failed call to a provider. Its message is for the log; people see the fault's. */
public final class ProviderException extends Exception {

    private static final long serialVersionUID = 1L;

    /** A kind of failure, by its remedy. */
    public enum Fault {
        /** Not the fault of the texts. */
        RATE_LIMIT("The embedding service is rate limited."),
        EMBEDDING_API_TIMEOUT("The embedding service did not answer in time."),
        SERVER_ERROR("The embedding service failed."),
        /** Not the fault of the texts. */
        UNREACHABLE("The embedding service could not be reached."),
        /** Needs an operator. */
        AUTHENTICATION_ERROR("The embedding service rejected the key."),
        /** One of the texts is permanently refused. */
        TEXT_REFUSED("The embedding service rejected this text."),
        BAD_ANSWER("The embedding service returned an invalid response.");

        private final String message;

        Fault(String message) {
            this.message = message;
        }

        /** As shown to people. */
        public String message() {
            return message;
        }
    }

    private final Fault fault;
    private final @Nullable Duration retryAfter;

    public ProviderException(Fault fault, String detail) {
        this(fault, detail, null, null);
    }

    public ProviderException(Fault fault, String detail, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super(detail, cause);
        this.fault = fault;
        this.retryAfter = retryAfter;
    }

    public Fault fault() {
        return fault;
    }

    /** The provider's Retry-After, if given. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
