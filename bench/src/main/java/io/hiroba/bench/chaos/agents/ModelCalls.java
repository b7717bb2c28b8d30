package io.hiroba.bench.chaos.agents;

import io.hiroba.platform.id.Ids;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The calls that the service had: what it would charge for them, and what they should not have held. */
final class ModelCalls {

    /** The name of all agents together. */
    static final String ALL = "all";

    private final Map<ModelBehaviour, Integer> behaviours = new EnumMap<>(ModelBehaviour.class);
    private final Map<String, AtomicLong> tokens = new ConcurrentHashMap<>();
    private final AtomicLong largestQuestion = new AtomicLong();
    private final List<String> violations = new CopyOnWriteArrayList<>();

    /** A call, with the agent that made it and the question that it is about. */
    record Call(JsonNode body, String agent, Question question) {

        boolean offers(String tool) {
            return body.path("tools")
                    .valueStream()
                    .anyMatch(
                            offered -> offered.at("/function/name").asString("").equals(tool));
        }

        boolean hasToolResult() {
            return body.path("messages")
                    .valueStream()
                    .anyMatch(message -> message.path("role").asString("").equals("tool"));
        }
    }

    synchronized void count(ModelBehaviour behaviour) {
        behaviours.merge(behaviour, 1, Integer::sum);
    }

    /** Reads a call, in which everybody's memory must be their own. */
    Call read(byte[] json) {
        var body = JsonMapper.shared().readTree(json);
        var system = body.path("messages").path(0).path("content").asString("");
        var agent = system.replaceFirst("(?s)\\AYou are (\\w+),.*", "$1");
        var question = new Question("", "");
        for (var message : body.path("messages")) {
            var content = message.path("content").asString("");
            if (message.path("role").asString("").equals("user") && !content.startsWith("{\"data\":")) {
                question = Question.in(content).orElse(question);
            }
        }
        for (var message : body.path("messages")) {
            checkMemory(message.path("content").asString(""), agent, question);
        }
        if (question.number().isEmpty()) {
            violations.add("a call of %s holds no question: %s".formatted(agent, body));
        }
        return new Call(body, agent, question);
    }

    private void checkMemory(String content, String agent, Question question) {
        if (content.startsWith("{\"data\":\"memory\"")) {
            var memory = JsonMapper.shared().readTree(content);
            var text = memory.path("text").asString("");
            (memory.path("from").asString("").equals("USER") ? Question.in(text) : Question.first(text))
                    .filter(remembered -> !remembered.asker().equals(question.asker()))
                    .ifPresent(remembered -> violations.add("%s was asked %s and remembered %s"
                            .formatted(agent, question.asked(), remembered.asked())));
        }
    }

    /** Charges for the question of a call, which it does once. */
    void chargeQuestion(Call call, long tokensIn) {
        largestQuestion.accumulateAndGet(tokensIn, Math::max);
        charge(call, tokensIn);
    }

    /** The most tokens that a question took. */
    long largestQuestion() {
        return largestQuestion.get();
    }

    /** Charges for what was read or written, for the agent, the asker and all. */
    void charge(Call call, long some) {
        for (var name :
                List.of("agent " + call.agent(), "caller " + call.question().asker(), ALL)) {
            tokens.computeIfAbsent(name, first -> new AtomicLong()).addAndGet(some);
        }
    }

    /** The tokens that were charged for a budget. */
    long charged(String name) {
        var some = tokens.get(name);
        return some == null ? 0 : some.get();
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    /** The name in questions of the person with this id. */
    static String person(long id) {
        return "p" + Ids.hex(id);
    }

    /** The name in questions of a user, which is that of an agent for one with a model. */
    static String asker(long id, String nickname, @Nullable String model) {
        return model == null ? person(id) : nickname;
    }

    @Override
    public synchronized String toString() {
        return "calls " + behaviours;
    }
}
