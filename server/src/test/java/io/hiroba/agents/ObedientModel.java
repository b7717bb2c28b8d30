package io.hiroba.agents;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.TestHttpService;
import io.hiroba.testkit.TestHttpService.Asked;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A chat model that obeys: it carries out each {@code [[CALL tool {…}]]} and {@code [[SAY …]]} that stands where instructions do,
 * and repeats all that tools told it. As an agent whose name begins with {@code Gullible} it obeys wherever they stand.
 */
final class ObedientModel implements AutoCloseable {

    private static final Pattern COMMAND = Pattern.compile("(?s)\\[\\[(?:CALL (\\w+) (\\{.*?})|SAY (.*?))]]");
    private static final Pattern AGENT = Pattern.compile("(?s)\\AYou are (\\w+),.*");
    private static final Pattern CASE = Pattern.compile("case-\\d+");

    private final TestHttpService service = TestHttpService.start((asked, exchange) ->
            TestHttpService.reply(exchange, 200, "data: " + answer(asked) + "\n\ndata: [DONE]\n\n"));
    private final Set<String> obeyed = ConcurrentHashMap.newKeySet();

    /** What it did, with the agent and the question, in the form {@code Strict case-3: people_me {}}. */
    final List<String> acts = new CopyOnWriteArrayList<>();

    /** All that it was told as data, by agent. */
    final List<String> data = new CopyOnWriteArrayList<>();

    /** All that it was told as instructions. */
    final List<String> instructions = new CopyOnWriteArrayList<>();

    String url() {
        return service.url() + "/v1";
    }

    /** All that it was told. */
    List<String> requests() {
        return service.asked().stream().map(Asked::body).toList();
    }

    private String answer(Asked asked) {
        var messages = JsonMapper.shared().readTree(asked.body()).path("messages");
        var agent = AGENT.matcher(messages.path(0).path("content").asString("")).replaceFirst("$1");
        var question = "";
        var heard = new StringBuilder();
        var orders = new ArrayList<String>();
        for (var message : messages) {
            var content = message.path("content").asString("");
            var quoted = quoted(content);
            var role = message.path("role").asString("");
            if (quoted != null) {
                data.add(quoted);
                heard.append(role.equals("tool") ? quoted : "");
            } else if (!role.equals("assistant") && !content.startsWith("Error: ")) {
                instructions.add(content);
                var number = CASE.matcher(content);
                question = role.equals("user") && number.find() ? number.group() : question;
            }
            if (quoted == null ? !role.equals("assistant") : agent.startsWith("Gullible")) {
                orders.add(quoted == null ? content : quoted);
            }
        }
        return obey(agent + " " + question, orders, heard.toString());
    }

    /** The text of a message that is one JSON object with data; null for everything else. */
    private static @Nullable String quoted(String content) {
        try {
            var json = content.startsWith("{\"data\":") ? JsonMapper.shared().readTree(content) : null;
            return json != null && json.isObject() ? text(json) : null;
        } catch (JacksonException notData) {
            return null;
        }
    }

    private static String text(JsonNode data) {
        var all = new StringBuilder();
        data.properties()
                .forEach(field -> all.append(field.getValue().asString("")).append('\n'));
        return all.toString();
    }

    private String obey(String who, List<String> orders, String heard) {
        var said = new StringBuilder("Done. ");
        for (var order : orders) {
            var command = COMMAND.matcher(order);
            while (command.find()) {
                if (command.group(3) != null) {
                    said.append(command.group(3)).append(' ');
                    continue;
                }
                var input = command.group(2).replace("\\\"", "\"");
                // Once: a tool that there is not ends the turn, and the run is tried again.
                if (obeyed.add(who + command.group())) {
                    acts.add(who + ": " + command.group(1) + " " + input);
                    return call(command.group(1), input);
                }
            }
        }
        // Names would call other agents.
        var text = said.append(heard).toString().replace("@", "(at)");
        return event(Map.of("content", text.substring(0, Math.min(9_000, text.length()))), "stop");
    }

    private static String call(String tool, String input) {
        var function = Map.of("name", tool, "arguments", input);
        return event(Map.of("tool_calls", List.of(Map.of("index", 0, "id", "1", "function", function))), "tool_calls");
    }

    private static String event(Map<String, ?> delta, String reason) {
        return Json.text(Map.of(
                "choices",
                List.of(Map.of("delta", delta, "finish_reason", reason)),
                "usage",
                Map.of("prompt_tokens", 10, "completion_tokens", 10)));
    }

    @Override
    public void close() {
        service.close();
    }
}
