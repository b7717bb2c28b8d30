package io.hiroba.platform.config;

import java.util.Objects;

/**
 * A secret setting that may have another text later: one that names a file or a secret of Vault is read again while the program runs.
 * Whoever needs it asks each time.
 */
public final class SecretText {

    private volatile String value;

    private SecretText(String value) {
        this.value = value;
    }

    public static SecretText of(String value) {
        return new SecretText(Objects.requireNonNull(value));
    }

    /** The text as it is now. */
    public String value() {
        return value;
    }

    public boolean isEmpty() {
        return value.isEmpty();
    }

    void replace(String next) {
        value = next;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SecretText text && text.value.equals(value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value.isEmpty() ? "" : "…";
    }
}
