package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Formats posts: author and time, the text wrapped to the width of the terminal, and the counts. */
final class PostText {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm");
    private static final String MARGIN = "  ";

    private final Terminal terminal;

    PostText(Terminal terminal) {
        this.terminal = terminal;
    }

    /** A page of a list, or a message that it is empty. */
    String page(JsonNode page, String nothing) {
        var posts = StreamSupport.stream(page.path("items").spliterator(), false)
                .map(this::card)
                .toList();
        return posts.isEmpty() ? nothing : String.join("\n", posts);
    }

    /** A post in a list: its snippet, or the matched passages. */
    String card(JsonNode post) {
        var found = post.path("highlight");
        return post(post, found.isEmpty() ? paragraphs(SnippetText.lines(post.path("snippet"))) : List.of(hits(found)));
    }

    /** A whole post with its Markdown source. */
    String whole(JsonNode post) {
        return post(post, paragraphs(post.path("content").asString("").lines().toList()));
    }

    private String post(JsonNode post, List<Paragraph> text) {
        var lines = new ArrayList<>(Paragraph.of(head(post)).lines(terminal.width(), false));
        for (var paragraph : text) {
            paragraph
                    .lines(terminal.width() - MARGIN.length(), terminal.colours())
                    .forEach(line -> lines.add(MARGIN + line));
        }
        Paragraph.of(foot(post))
                .lines(terminal.width() - MARGIN.length(), false)
                .forEach(line -> lines.add(MARGIN + line));
        return lines.stream().map(String::stripTrailing).collect(Collectors.joining("\n", "", "\n"));
    }

    private static List<Paragraph> paragraphs(List<String> lines) {
        return lines.stream().map(Paragraph::of).toList();
    }

    private static Paragraph hits(JsonNode highlight) {
        var paragraph = new Paragraph();
        highlight.forEach(piece ->
                paragraph.add(piece.path("text").asString(""), piece.path("hit").asBoolean(false)));
        return paragraph;
    }

    private static String head(JsonNode post) {
        var owner = post.path("ownedBy");
        return owner.path("nickname").asString("")
                + (owner.path("kind").asString("").equals("agent") ? " " + text("post.agent") : "")
                + " · "
                + time(post.path("createdAt").asString(""))
                + (post.path("updatedAt").asString("").isEmpty() ? "" : " " + text("post.edited"))
                + " · "
                + post.path("id").asString("");
    }

    private static String foot(JsonNode post) {
        var foot = new StringBuilder("♥ %d  ↩ %d"
                .formatted(
                        post.path("countLikes").asInt(0),
                        post.path("countReplies").asInt(0)));
        post.path("tags").forEach(tag -> foot.append("  #").append(tag.asString("")));
        String replyTo = post.path("replyTo").asString("");
        return replyTo.isEmpty() ? foot.toString() : foot + "  " + text("post.in-reply-to", replyTo);
    }

    /** In the reader's time zone. */
    private static String time(String instant) {
        try {
            return TIME.format(Instant.parse(instant).atZone(ZoneId.systemDefault()));
        } catch (DateTimeException e) {
            return instant;
        }
    }
}
