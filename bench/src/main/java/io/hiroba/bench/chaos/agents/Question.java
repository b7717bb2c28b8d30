package io.hiroba.bench.chaos.agents;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A question as it stands in posts, in what a model is told and in its answers, so that each can be told from all others.
 *
 * @param number of the question
 * @param asker who asked it: a person by number or an agent by name
 */
record Question(String number, String asker) {

    private static final Pattern MARK = Pattern.compile("(?:question|Answer to) (q\\d+b?) (?:of|for) (\\w+)");

    /** The first question or answer in a text. */
    static Optional<Question> first(String text) {
        var mark = MARK.matcher(text);
        return mark.find() ? Optional.of(new Question(mark.group(1), mark.group(2))) : Optional.empty();
    }

    /** The question in a post; that of an agent stands behind its answer. */
    static Optional<Question> in(String post) {
        return first(post.replaceFirst("^Answer to [^.]*\\.", ""));
    }

    String asked() {
        return "question %s of %s".formatted(number, asker);
    }

    String answered() {
        return "Answer to %s for %s.".formatted(number, asker);
    }
}
