package io.hiroba.accounts;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** The configuration of sign-up, sessions and passwords. */
public record AccountsConfig(
        Hashing hashing,

        @Default("30d") @Doc("A session that is not used for this long ends.")
        Duration sessionLifetime,

        @Default("90d") @Doc("A session ends this long after its log-in, however much it is used.")
        Duration sessionMaxAge,

        @Default("8") @Doc("Characters that a new password has to have, 8 to 64. Passwords that are set already stay.")
        int passwordMinLength,

        Codes codes,
        Limits limits,

        @Default("optional")
        @Doc(
                "Who has to have a second factor: an authenticator app or a passkey. Whoever has none is led to where it is added, and to nothing else in the browser.")
        SecondFactor secondFactor,

        Audit audit,
        SignUpRules signUp,
        Map<String, OidcConfig> oidc,
        TokenExpiry tokens,

        @Default("200")
        @Doc(
                "Wrong passwords an hour, of all accounts together, after which admins are told by mail, once an hour; 0 for never.")
        int alertFailures,

        @Default("")
        @Doc(
                "The address of a page that says what is collected of people and on which terms. Whoever signs up has to agree to it, which is kept; empty for none.")
        String noticeUrl) {

    public static final AccountsConfig DEFAULT = new AccountsConfig(
            new Hashing(19_456, 2, 1, 4),
            Duration.ofDays(30),
            Duration.ofDays(90),
            Password.MIN_LENGTH,
            new Codes(Duration.ofMinutes(10), 5),
            new Limits(100, 10, 20, 100),
            SecondFactor.OPTIONAL,
            new Audit(Duration.ofDays(400)),
            SignUpRules.OPEN,
            Map.of(),
            new TokenExpiry(Duration.ofDays(90)),
            200,
            "");

    public AccountsConfig {
        if (sessionLifetime.compareTo(Duration.ofMinutes(1)) < 0) {
            throw new IllegalArgumentException("session-lifetime must be at least a minute");
        }
        if (sessionMaxAge.compareTo(Duration.ofMinutes(1)) < 0 || sessionMaxAge.compareTo(Duration.ofDays(3650)) > 0) {
            throw new IllegalArgumentException("session-max-age must be between a minute and ten years");
        }
        if (passwordMinLength < Password.MIN_LENGTH || passwordMinLength > 64) {
            throw new IllegalArgumentException("password-min-length must be between 8 and 64");
        }
        if (alertFailures < 0) {
            throw new IllegalArgumentException("alert-failures must be at least 0");
        }
        if (!noticeUrl.isEmpty() && !noticeUrl.matches("https?://[^\\s\"<>]+")) {
            throw new IllegalArgumentException("notice-url must be the http or https address of a page");
        }
        oidc = Map.copyOf(oidc);
        if (!oidc.keySet().stream().allMatch(name -> name.matches("[a-z0-9][a-z0-9-]{0,39}"))) {
            throw new IllegalArgumentException("oidc must have names of lower-case letters, digits and dashes");
        }
    }

    public AccountsConfig withHashing(Hashing hashing) {
        return changed(draft -> draft.hashing = hashing);
    }

    public AccountsConfig withLimits(Limits limits) {
        return changed(draft -> draft.limits = limits);
    }

    public AccountsConfig withSecondFactor(SecondFactor secondFactor) {
        return changed(draft -> draft.secondFactor = secondFactor);
    }

    public AccountsConfig withSignUp(SignUpRules signUp) {
        return changed(draft -> draft.signUp = signUp);
    }

    public AccountsConfig withAlertFailures(int alertFailures) {
        return changed(draft -> draft.alertFailures = alertFailures);
    }

    public AccountsConfig withNoticeUrl(String noticeUrl) {
        return changed(draft -> draft.noticeUrl = noticeUrl);
    }

    private AccountsConfig changed(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return new AccountsConfig(
                draft.hashing,
                sessionLifetime,
                sessionMaxAge,
                passwordMinLength,
                codes,
                draft.limits,
                draft.secondFactor,
                audit,
                draft.signUp,
                oidc,
                tokens,
                draft.alertFailures,
                draft.noticeUrl);
    }

    /** The settings of which others can be made. */
    private static final class Draft {

        private Hashing hashing;
        private Limits limits;
        private SecondFactor secondFactor;
        private SignUpRules signUp;
        private int alertFailures;
        private String noticeUrl;

        Draft(AccountsConfig from) {
            hashing = from.hashing;
            limits = from.limits;
            secondFactor = from.secondFactor;
            signUp = from.signUp;
            alertFailures = from.alertFailures;
            noticeUrl = from.noticeUrl;
        }
    }

    /** The people of whom a second factor is asked. */
    public enum SecondFactor {
        OPTIONAL,
        ADMINS,
        EVERYONE
    }

    /** The cost of an Argon2id password hash. Hashes with other parameters are renewed when their owner signs in. */
    public record Hashing(
            @Default("19456") @Doc("Memory of one hash, in KiB.")
            int memoryKib,

            @Default("2") @Doc("Passes over that memory.") int iterations,

            @Default("1") @Doc("Lanes of one hash.") int parallelism,

            @Default("4") @Doc("Hashes that may be under way at once on a node; others wait.")
            int concurrency) {

        public Hashing {
            if (memoryKib < 8 * parallelism || memoryKib > 1_048_576) {
                throw new IllegalArgumentException("memory-kib must be between 8 for each lane and 1048576");
            }
            if (iterations < 1 || iterations > 100) {
                throw new IllegalArgumentException("iterations must be between 1 and 100");
            }
            if (parallelism < 1 || parallelism > 16) {
                throw new IllegalArgumentException("parallelism must be between 1 and 16");
            }
            if (concurrency < 1 || concurrency > 256) {
                throw new IllegalArgumentException("concurrency must be between 1 and 256");
            }
        }
    }

    /** The six-digit codes that verify an e-mail address. */
    public record Codes(
            @Default("10m") @Doc("How long a code is good for.")
            Duration lifetime,

            @Default("5") @Doc("How often a code may be tried.")
            int attempts) {

        public Codes {
            if (lifetime.compareTo(Duration.ofSeconds(1)) < 0 || lifetime.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException("lifetime must be between a second and a day");
            }
            if (attempts < 1 || attempts > 20) {
                throw new IllegalArgumentException("attempts must be between 1 and 20");
            }
        }
    }

    /** The rate limits of sign-up and sign-in, over all nodes. */
    public record Limits(
            @Default("100")
            @Doc(
                    "Sign-ups an hour that one client address may start; likewise password resets and registrations of apps.")
            int signUpsPerHour,

            @Default("10") @Doc("Codes an hour that may be asked for one e-mail address.")
            int codesPerHour,

            @Default("20") @Doc("Log-ins a minute that one client address may try.")
            int logInsPerMinute,

            @Default("100")
            @Doc(
                    "Wrong passwords an hour that one account takes, with a delay that grows; a fifth of them from one client address. A browser that has signed in before has a tenth for itself.")
            int failuresPerAccount) {

        public Limits {
            if (signUpsPerHour < 1 || codesPerHour < 1 || logInsPerMinute < 1 || failuresPerAccount < 1) {
                throw new IllegalArgumentException("limits must be at least 1");
            }
        }
    }

    /** The audit log. */
    public record Audit(
            @Default("400d") @Doc("How long entries of the audit log are kept; at least 30 days.")
            Duration retention) {

        public Audit {
            if (retention.compareTo(Duration.ofDays(30)) < 0 || retention.compareTo(Duration.ofDays(36_500)) > 0) {
                throw new IllegalArgumentException("retention must be between 30 days and 100 years");
            }
        }
    }

    /** The end of API tokens. */
    public record TokenExpiry(
            @Default("90d")
            @Doc("An API token expires after this long, unless another time or none is chosen when it is made.")
            Duration defaultLifetime) {

        public TokenExpiry {
            if (defaultLifetime.compareTo(Duration.ofMinutes(1)) < 0
                    || defaultLifetime.compareTo(Duration.ofDays(3650)) > 0) {
                throw new IllegalArgumentException("default-lifetime must be between a minute and ten years");
            }
        }
    }
}
