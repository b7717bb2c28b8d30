package io.hiroba.knowledge.embedding;

import io.hiroba.platform.i18n.Text;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A failed call to a provider. Its message is for the log; people see the fault's. */
public final class ProviderException extends Exception {

    private static final long serialVersionUID = 1L;

    /** A kind of failure, by its remedy. */
    public enum Fault {
        /** Not the fault of the texts. */
        RATE_LIMIT,
        EMBEDDING_API_TIMEOUT,
        SERVER_ERROR,
        /** Not the fault of the texts. */
        UNREACHABLE,
        /** Needs an operator. */
        AUTHENTICATION_ERROR,
        /** One of the texts is permanently refused. */
        TEXT_REFUSED,
        BAD_ANSWER;

        /** As shown to people. */
        public Text message() {
            return Text.of("knowledge.fault." + name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }

        /** The message of the fault with this name; {@code stored} if it is none of these any more. */
        public static Text messageOf(String name, String stored) {
            return Arrays.stream(values())
                    .filter(fault -> fault.name().equals(name))
                    .findAny()
                    .map(Fault::message)
                    .orElse(Text.verbatim(stored));
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
