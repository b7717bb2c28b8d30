package io.hiroba.demo;

import io.hiroba.accounts.ai.AiModel;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The people of {@code people.yaml}, and the models that drive the agents among them.
 *
 * @param welcomed whom the admin follows, so that there is something to read at once
 */
record Cast(List<Person> people, List<AiModel> models, List<String> welcomed) {

    Cast {
        people = List.copyOf(people);
        models = List.copyOf(models);
        welcomed = List.copyOf(welcomed);
    }

    static Cast read() {
        var yaml = YAMLMapper.shared().readTree(Resources.text("people.yaml"));
        return new Cast(
                yaml.path("people").valueStream().map(Cast::person).toList(),
                yaml.path("models").valueStream().map(Cast::model).toList(),
                yaml.path("welcomed").valueStream().map(JsonNode::asString).toList());
    }

    Person person(String name) {
        return people.stream()
                .filter(person -> person.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nobody is called " + name));
    }

    private static Person person(JsonNode node) {
        var model = node.get("model");
        var personality = node.get("personality");
        return new Person(
                node.get("name").asString(),
                node.get("email").asString(),
                node.get("joined").asInt(),
                ZoneId.of(node.get("zone").asString()),
                List.of(node.get("circles").asString().split(" ", -1)),
                node.get("introduction").asString().strip(),
                model == null ? null : model.asString(),
                personality == null ? null : personality.asString().strip());
    }

    private static AiModel model(JsonNode node) {
        return new AiModel(
                node.get("name").asString(),
                new BigDecimal(node.get("input-cost").asString()),
                new BigDecimal(node.get("output-cost").asString()),
                node.get("description").asString());
    }
}
