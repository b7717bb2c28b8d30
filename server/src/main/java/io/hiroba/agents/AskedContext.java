package io.hiroba.agents;

import io.hiroba.agents.Librarian.Passage;
import io.hiroba.agents.Librarian.PostedQuestion;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.mail.Site;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the post, record or saga that an agent is asked about, as far as both the agent and the asker may read it. Of an item of the asker's
 * inbox they let it be told what stands there by asking; what the item is about is read as all else.
 */
final class AskedContext {

    private static final int MAX_TEXT = 4_000;
    private static final String UUID = "[0-9a-fA-F-]{36}";

    /** A kind of page, the tool that reads what it shows, and the names of the arguments in its path. */
    private record Page(Pattern path, String tool, List<String> arguments) {}

    private static final List<Page> PAGES = List.of(
            new Page(Pattern.compile("/posts/([0-9A-Fa-f]{16})"), "posts_get", List.of("id")),
            new Page(
                    Pattern.compile("/records/([0-9A-Fa-f]{16})/([^/?#]{1,300})/(" + UUID + ")"),
                    "records_get",
                    List.of("project", "schema", "row")),
            new Page(Pattern.compile("/sagas/(" + UUID + ")"), "sagas_get", List.of("id")));

    private static final Pattern ITEM = Pattern.compile("/inbox\\?item=([0-9A-Fa-f]{16})");

    private final ApiAgentTools tools;
    private final Site site;
    private final InboxItems items;

    AskedContext(ApiAgentTools tools, Site site, InboxItems items) {
        this.items = items;
        this.tools = tools;
        this.site = site;
    }

    /** A call of a tool that reads what a page shows. */
    private record Reading(String tool, Map<String, String> arguments) {}

    /** Whether agents can be asked about what is at this path. */
    static boolean isReadable(String path) {
        return reading(path).isPresent() || item(path).isPresent();
    }

    private static Optional<Long> item(String path) {
        var item = ITEM.matcher(path);
        return item.matches() && Ids.isId(item.group(1)) ? Optional.of(Ids.parse(item.group(1))) : Optional.empty();
    }

    private static Optional<Reading> reading(@Nullable String path) {
        if (path == null) {
            return Optional.empty();
        }
        for (var page : PAGES) {
            var match = page.path().matcher(path);
            if (match.matches()) {
                var arguments = new LinkedHashMap<String, String>();
                for (int i = 0; i < page.arguments().size(); i++) {
                    arguments.put(page.arguments().get(i), decoded(match.group(i + 1)));
                }
                return Optional.of(new Reading(page.tool(), arguments));
            }
        }
        return Optional.empty();
    }

    private static String decoded(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return part;
        }
    }

    /** What the question is about; nothing if it is about nothing, or one of the two may not read it. */
    List<Passage> of(PostedQuestion question) {
        var about = question.about();
        if (about == null) {
            return List.of();
        }
        var item = item(about).flatMap(id -> items.find(question.asker(), id));
        return Stream.concat(
                        item.stream()
                                .map(found -> new Passage(
                                        Text.of("agents.ask.about"),
                                        site.link(about),
                                        RunContext.cut(found.text(), MAX_TEXT),
                                        1)),
                        read(question, item.map(InboxItems.Summary::link).orElse(about)).stream())
                .toList();
    }

    private Optional<Passage> read(PostedQuestion question, String path) {
        return reading(path).flatMap(reading -> {
            var input = JsonMapper.shared().writeValueAsString(reading.arguments());
            var answer = tools.use(reading.tool(), input, question.agent(), question.asker());
            return answer.failed()
                    ? Optional.empty()
                    : Optional.of(new Passage(Text.of("agents.ask.about"), site.link(path), text(answer.text()), 1));
        });
    }

    /** The content of a post, and of anything else a line for each value. */
    private static String text(String json) {
        try {
            var read = JsonMapper.shared().readTree(json);
            var lines = new ArrayList<String>();
            if (read.path("content").isString()) {
                lines.add(read.path("content").asString());
            } else {
                add(lines, "", read);
            }
            return RunContext.cut(String.join("\n", lines), MAX_TEXT);
        } catch (JacksonException notJson) {
            return "";
        }
    }

    private static void add(List<String> lines, String name, JsonNode value) {
        if (value.isObject()) {
            value.properties().forEach(field -> add(lines, (name + " " + field.getKey()).strip(), field.getValue()));
        } else if (value.isArray()) {
            value.forEach(element -> add(lines, name, element));
        } else if (!value.isNull()) {
            lines.add("- " + name + ": " + value.asString());
        }
    }
}
