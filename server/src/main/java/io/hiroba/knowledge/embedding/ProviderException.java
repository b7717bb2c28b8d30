package io.hiroba.knowledge.embedding;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why a provider made no vectors. Its message is for the log: what people are told is the fault's. */
public final class ProviderException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Kinds of failure, by what is to be done about them. */
    public enum Fault {
        /** The provider asks to be left alone for a while: no fault of the texts. */
        RATE_LIMIT("The embedding service limits how often it may be asked."),
        EMBEDDING_API_TIMEOUT("The embedding service did not answer in time."),
        SERVER_ERROR("The embedding service failed."),
        /** The provider is not to be reached at all: no fault of the texts. */
        UNREACHABLE("The embedding service could not be reached."),
        /** Will not heal by itself. */
        AUTHENTICATION_ERROR("The embedding service refused the key."),
        /** One of the texts is refused, and always will be. */
        TEXT_REFUSED("The embedding service does not take this text."),
        BAD_ANSWER("The embedding service answered with something else than vectors.");

        private final String told;

        Fault(String told) {
            this.told = told;
        }

        /** What people may know of it. */
        public String told() {
            return told;
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

    /** How long the provider wants to be left alone, if it said so. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
