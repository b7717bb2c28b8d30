package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaProblem.DefinitionError;
import io.hiroba.saga.workflow.SourceNode.Fields;
import io.hiroba.saga.workflow.SourceNode.Items;
import io.hiroba.saga.workflow.SourceNode.Scalar;
import io.hiroba.saga.workflow.WorkflowStore.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The places of steps in the text of a workflow, for errors that are found once it is read; they are looked up when there is an
 * error.
 */
final class StepPlaces {

    private static final Set<String> WITH_STEPS = Set.of("steps", "parallel", "switch");

    private final Source source;
    private final List<DefinitionError> found = new ArrayList<>();

    StepPlaces(Source source) {
        this.source = source;
    }

    private record Place(SourcePosition position, String path, SourceNode node) {

        /** The value of a key; the place itself if there is none. */
        Place at(String key) {
            var field = node instanceof Fields fields ? fields.fields().get(key) : null;
            return field == null ? this : new Place(field.position(), path + "." + key, field.value());
        }

        /** The element of a list that is this text; the list itself if none is. */
        Place element(String text) {
            if (node instanceof Items items) {
                for (int i = 0; i < items.items().size(); i++) {
                    var item = items.items().get(i);
                    if (isText(item, text)) {
                        return new Place(item.position(), "%s[%d]".formatted(path, i), item);
                    }
                }
            }
            return this;
        }
    }

    /**
     * Adds an error of a step.
     *
     * @param keys lead to what is wrong
     * @param element the text in a list that is wrong; null for all that the keys lead to
     */
    void error(String step, List<String> keys, @Nullable String element, Text reason) {
        var root = WorkflowReader.parse(source.text(), source.format(), new ValidationErrors());
        var place = find(root, "", step).orElseGet(() -> new Place(root.position(), "steps", root));
        for (var key : keys) {
            place = place.at(key);
        }
        if (element != null) {
            place = place.element(element);
        }
        found.add(new DefinitionError(place.position().line(), place.position().column(), place.path(), reason));
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /** Throws if there are errors. */
    void check() {
        if (!found.isEmpty()) {
            throw SagaProblem.badWorkflow(found, found.size());
        }
    }

    private static Optional<Place> find(SourceNode node, String path, String step) {
        return switch (node) {
            case Fields fields
            when !path.isEmpty() && isNamed(fields, step) -> Optional.of(new Place(fields.position(), path, fields));
            case Fields fields ->
                fields.fields().entrySet().stream()
                        .filter(entry -> WITH_STEPS.contains(entry.getKey()))
                        .flatMap(entry -> find(
                                entry.getValue().value(),
                                path.isEmpty() ? entry.getKey() : path + "." + entry.getKey(),
                                step)
                                .stream())
                        .findFirst();
            case Items items -> {
                for (int i = 0; i < items.items().size(); i++) {
                    var inside = find(items.items().get(i), "%s[%d]".formatted(path, i), step);
                    if (inside.isPresent()) {
                        yield inside;
                    }
                }
                yield Optional.empty();
            }
            case Scalar _ -> Optional.empty();
        };
    }

    private static boolean isNamed(Fields fields, String step) {
        var name = fields.fields().get("name");
        return name != null && isText(name.value(), step);
    }

    private static boolean isText(SourceNode node, String text) {
        return node instanceof Scalar scalar
                && scalar.json().isString()
                && scalar.json().stringValue().equals(text);
    }
}
