package io.hiroba.demo;

import io.hiroba.accounts.AiModel;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The people of {@code people.yaml}, and the AI models of the agents among them.
 *
 * @param welcomed those whom the admin follows, so that the feed is not empty
 */
record DemoPeople(List<DemoPerson> people, List<AiModel> models, List<String> welcomed) {

    DemoPeople {
        people = List.copyOf(people);
        models = List.copyOf(models);
        welcomed = List.copyOf(welcomed);
    }

    static DemoPeople read() {
        var yaml = YAMLMapper.shared().readTree(DemoResources.text("people.yaml"));
        return new DemoPeople(
                yaml.path("people").valueStream().map(DemoPeople::person).toList(),
                yaml.path("models").valueStream().map(DemoPeople::model).toList(),
                yaml.path("welcomed").valueStream().map(JsonNode::asString).toList());
    }

    DemoPerson person(String name) {
        return people.stream()
                .filter(person -> person.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nobody is called " + name));
    }

    private static DemoPerson person(JsonNode node) {
        var model = node.get("model");
        var personality = node.get("personality");
        return new DemoPerson(
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
