package io.hiroba.accounts;

import com.nulabinc.zxcvbn.Zxcvbn;
import com.nulabinc.zxcvbn.matchers.Match;
import io.hiroba.accounts.Password.Level;
import io.hiroba.accounts.Password.Rating;
import io.hiroba.platform.i18n.Text;
import java.text.Normalizer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Decides which passwords a person may choose: none that is guessed within a million attempts by lists of common passwords,
 * words, repetitions and rows of keys, and none that consists of what is known of its owner. There are no rules about kinds of
 * characters (ADR 64).
 */
final class PasswordPolicy {

    private static final double MIN_GUESSES = 1e6;

    /** The time to estimate grows steeply with the length, and what begins well is good enough. */
    private static final int MAX_ESTIMATED = 20;

    private static final int MAX_CONCURRENT = 2;
    private static final Duration QUEUE_TIMEOUT = Duration.ofSeconds(10);
    private static final int MIN_WORD = 3;
    private static final Pattern SEPARATORS = Pattern.compile("[^\\p{L}\\p{N}]+");
    private static final String PRODUCT = "hiroba";

    private final Semaphore permits = new Semaphore(MAX_CONCURRENT, true);
    private final int minLength;

    PasswordPolicy(int minLength) {
        this.minLength = minLength;
    }

    /** The characters that a password has to have. */
    int minLength() {
        return minLength;
    }

    /** Loads the dictionaries when the first password is rated. */
    private static final class Estimator {
        static final Zxcvbn INSTANCE = new Zxcvbn();
    }

    /**
     * Refuses a password that is too easy to guess.
     *
     * @param known of its owner, such as nickname and address
     * @throws AccountsProblem {@code accounts.invalid} for the field {@code password}
     */
    void require(Password password, Object... known) {
        require("password", password, known);
    }

    void require(String field, Password password, Object... known) {
        try {
            if (!permits.tryAcquire(QUEUE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw AccountsProblem.busy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AccountsProblem.busy();
        }
        try {
            var rating = rate(password, words(known));
            if (rating.level() == Level.REFUSED) {
                throw AccountsProblem.invalid(field, rating.text());
            }
        } finally {
            permits.release();
        }
    }

    /** Rates what somebody is typing; nothing if the node is busy with others, for a hint may be missing. */
    Optional<Rating> hint(String typed, Object... known) {
        if (!permits.tryAcquire()) {
            return Optional.empty();
        }
        try {
            return typed.codePointCount(0, typed.length()) < minLength
                    ? Optional.of(new Rating(Level.REFUSED, Password.lengthText(minLength)))
                    : Optional.of(rate(new Password(typed), words(known)));
        } catch (AccountsProblem refusal) {
            return Optional.of(
                    new Rating(Level.REFUSED, refusal.fields().getFirst().message()));
        } finally {
            permits.release();
        }
    }

    private Rating rate(Password password, Set<String> words) {
        var typed = password.typed();
        if (typed.codePointCount(0, typed.length()) < minLength) {
            return new Rating(Level.REFUSED, Password.lengthText(minLength));
        }
        var text = folded(typed);
        if (lengthWithout(text, words) < Password.MIN_LENGTH) {
            return refused("personal");
        }
        var estimated = text.codePoints()
                .limit(MAX_ESTIMATED)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append);
        var strength = Estimator.INSTANCE.measure(estimated, List.copyOf(words));
        if (strength.getGuesses() < MIN_GUESSES) {
            return refused(reason(strength.getSequence()));
        }
        return switch (strength.getScore()) {
            case 4 -> new Rating(Level.STRONG, Text.of("accounts.password-strong"));
            case 3 -> new Rating(Level.GOOD, Text.of("accounts.password-good"));
            default -> new Rating(Level.FAIR, Text.of("accounts.password-fair"));
        };
    }

    private static Rating refused(String reason) {
        return new Rating(Level.REFUSED, Text.of("accounts.field.password-" + reason));
    }

    private static String reason(List<Match> sequence) {
        if (sequence.stream().anyMatch(match -> "user_inputs".equals(match.dictionaryName))) {
            return "personal";
        }
        return sequence.stream().anyMatch(match -> "passwords".equals(match.dictionaryName)) ? "common" : "guessable";
    }

    /** The length where each known word counts as one character, for that is what it adds. */
    private static int lengthWithout(String text, Set<String> words) {
        var rest = text;
        for (var word : words) {
            rest = rest.replace(word, "*");
        }
        return rest.codePointCount(0, rest.length());
    }

    /** The words in what is known of the owner, the longest first; short ones are left out, since they are anywhere. */
    private static Set<String> words(Object... known) {
        Set<String> words = new LinkedHashSet<>();
        words.add(PRODUCT);
        for (var fact : known) {
            var whole = folded(fact.toString());
            words.add(whole);
            words.add(SEPARATORS.matcher(whole).replaceAll(""));
            // The end of a domain is in too many words to count.
            var text = whole.replaceFirst("(@.*)\\.[^.]*$", "$1");
            for (var part : text.split("@", -1)) {
                words.add(SEPARATORS.matcher(part).replaceAll(""));
                words.addAll(List.of(SEPARATORS.split(part, -1)));
            }
        }
        words.removeIf(word -> word.codePointCount(0, word.length()) < MIN_WORD && !isIdeographic(word));
        return words.stream()
                .sorted((a, b) -> Integer.compare(b.length(), a.length()))
                .collect(LinkedHashSet::new, Set::add, Set::addAll);
    }

    private static boolean isIdeographic(String word) {
        return word.length() > 1 && word.codePoints().allMatch(Character::isIdeographic);
    }

    private static String folded(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    }
}
