package io.hiroba.demo;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code threads.md}, the posts of the demo. A line of percent signs begins a post, and their number is its depth in
 * the thread; the head of the file explains the rest.
 */
final class DemoThreads {

    private static final Pattern HEAD = Pattern.compile("(%+)(=?) (.+)");
    private static final Pattern SPAN = Pattern.compile("([0-9]+)([dhm])");
    private static final Duration MIN_AGE = Duration.ofMinutes(1);

    private final DemoPeople people;
    private final Instant present;
    private final List<DemoPost> entries = new ArrayList<>();

    /** The newest post of each depth, which the next deeper one replies to. */
    private final Map<Integer, DemoPost> latest = new HashMap<>();

    private @Nullable String head;
    private final StringBuilder text = new StringBuilder();

    private DemoThreads(DemoPeople people, Instant present) {
        this.people = people;
        this.present = present;
    }

    /** The posts in the order of the script, their times counted back from {@code present}. */
    static List<DemoPost> read(DemoPeople people, Instant present) {
        var threads = new DemoThreads(people, present);
        DemoResources.text("threads.md").lines().forEach(threads::line);
        threads.end();
        return List.copyOf(threads.entries);
    }

    private void line(String line) {
        if (HEAD.matcher(line).matches()) {
            end();
            head = line;
        } else {
            text.append(line).append('\n');
        }
    }

    private void end() {
        if (head != null) {
            var parts = HEAD.matcher(head);
            if (!parts.matches() || text.toString().isBlank()) {
                throw new IllegalStateException("no text below: " + head);
            }
            var words = List.of(parts.group(3).split(" ", -1));
            if (parts.group(2).isEmpty()) {
                post(parts.group(1).length(), words, text.toString().strip());
            } else {
                correct(
                        parts.group(1).length(),
                        words.getFirst(),
                        text.toString().strip());
            }
        }
        text.setLength(0);
    }

    private void post(int depth, List<String> words, String content) {
        var author = words.getFirst();
        var parent = depth == 1 ? null : above(depth - 1);
        boolean dated = words.size() > 2 && words.get(2).matches("[0-9]{2}:[0-9]{2}");
        var moment = parent != null
                ? parent.at().plus(span(words.get(1)))
                : dated ? dayBefore(author, words.get(1), words.get(2)) : present.minus(span(words.get(1)));
        int likes = -1;
        boolean replies = true;
        var tags = new ArrayList<String>();
        for (var word : words.subList(dated ? 3 : 2, words.size())) {
            if (word.startsWith("♥")) {
                likes = Integer.parseInt(word.substring(1));
            } else if (word.equals("closed")) {
                replies = false;
            } else {
                tags.add(word);
            }
        }
        add(
                depth,
                new DemoPost(
                        "post-" + (entries.size() + 1),
                        people.person(author).name(),
                        clampToPast(moment),
                        parent == null ? null : parent.name(),
                        tags,
                        content,
                        likes,
                        replies,
                        null));
    }

    private void correct(int depth, String after, String content) {
        var entry = above(depth);
        entries.set(entries.indexOf(entry), entry.corrected(new DemoPost.Correction(span(after), content)));
    }

    private DemoPost above(int depth) {
        return Optional.ofNullable(latest.get(depth))
                .orElseThrow(() -> new IllegalStateException("no post above: " + head));
    }

    private void add(int depth, DemoPost entry) {
        entries.add(entry);
        latest.put(depth, entry);
        latest.keySet().removeIf(deeper -> deeper > depth);
    }

    /** A time of day in the time zone of the author, some days ago. */
    private Instant dayBefore(String author, String days, String time) {
        var zone = people.person(author).zone();
        var day = present.atZone(zone).toLocalDate().minusDays(span(days).toDays());
        return day.atTime(LocalTime.parse(time)).atZone(zone).toInstant();
    }

    private Instant clampToPast(Instant moment) {
        var last = present.minus(MIN_AGE);
        return moment.isAfter(last) ? last : moment;
    }

    private static Duration span(String word) {
        var parts = SPAN.matcher(word);
        if (!parts.matches()) {
            throw new IllegalStateException("not a span of time such as 3d, 5h or 20m: " + word);
        }
        long number = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "d" -> Duration.ofDays(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofMinutes(number);
        };
    }
}
