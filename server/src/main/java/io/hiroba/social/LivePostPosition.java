package io.hiroba.social;

import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Text;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The position of a reader in a list of new posts: the latest post that was sent, and which ones were sent shortly before it.
 * A post that becomes visible late has a lower id than others, so the latest alone does not tell what is missing.
 *
 * <p>As text, the latest in hex, and how far each of the others is behind it: {@code 19A8C2E846E00000S1f3kS2}.
 */
record LivePostPosition(PostId latest, Set<Long> sent) {

    /** Keeps the text below a thousand characters; the earliest of more posts may be sent again. */
    static final int MAX_SENT = 100;

    private static final String SEPARATOR = "S";
    private static final int RADIX = 36;
    private static final Pattern DISTANCE = Pattern.compile("[0-9a-z]{1,12}");

    LivePostPosition {
        var all = new HashSet<>(sent);
        all.add(latest.value());
        sent = Set.copyOf(all);
    }

    static LivePostPosition of(PostId latest) {
        return new LivePostPosition(latest, Set.of());
    }

    /** The position after these posts and, at least, {@code latest}. */
    static LivePostPosition after(long latest, Collection<Long> sent) {
        var newestFirst =
                sent.stream().sorted(Comparator.reverseOrder()).limit(MAX_SENT).toList();
        long furthest = newestFirst.isEmpty() ? latest : Math.max(latest, newestFirst.getFirst());
        return new LivePostPosition(new PostId(furthest), new HashSet<>(newestFirst));
    }

    static LivePostPosition parse(String text) {
        var parts = List.of(text.split(SEPARATOR, -1));
        var latest = PostId.parse(parts.getFirst());
        var sent = new HashSet<Long>();
        for (var distance : parts.subList(1, parts.size())) {
            if (!DISTANCE.matcher(distance).matches()) {
                throw HttpProblem.invalid("Last-Event-ID", Text.of("http.field.no-message"));
            }
            sent.add(latest.value() - Long.parseLong(distance, RADIX));
        }
        return new LivePostPosition(latest, sent);
    }

    String text() {
        var text = new StringBuilder(latest.hex());
        sent.stream()
                .filter(id -> id != latest.value())
                .sorted(Comparator.reverseOrder())
                .forEach(id -> text.append(SEPARATOR).append(Long.toString(latest.value() - id, RADIX)));
        return text.toString();
    }

    /** The same for a page that shows posts up to {@code seen} besides. */
    LivePostPosition atLeast(PostId seen) {
        return seen.value() <= latest.value() ? this : new LivePostPosition(seen, sent);
    }
}
