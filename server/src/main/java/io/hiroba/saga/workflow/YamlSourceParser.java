package io.hiroba.saga.workflow;

import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.StorableJson;
import io.hiroba.saga.workflow.SourceNode.Field;
import io.hiroba.saga.workflow.SourceNode.Fields;
import io.hiroba.saga.workflow.SourceNode.Items;
import io.hiroba.saga.workflow.SourceNode.Scalar;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Parses YAML event by event and refuses aliases, tags and deep nesting: no alias can expand without bounds, no depth can
 * exhaust the stack and no tag can name a class.
 */
final class YamlSourceParser {

    private final Iterator<Event> events;
    private final ValidationErrors errors;

    private YamlSourceParser(Iterator<Event> events, ValidationErrors errors) {
        this.events = events;
        this.errors = errors;
    }

    static SourceNode parse(String text, ValidationErrors errors) {
        // A buffer for the whole text: the library fails on a surrogate pair that spans the end of its buffer.
        var settings = LoadSettings.builder()
                .setLabel("workflow")
                .setBufferSize(text.length() + 2)
                .build();
        try {
            return new YamlSourceParser(new Parse(settings).parseString(text).iterator(), errors).document();
        } catch (MarkedYamlEngineException e) {
            var position = e.getProblemMark()
                    .map(mark -> SourcePosition.ofLine(mark.getLine() + 1))
                    .orElse(SourcePosition.START);
            throw ValidationErrors.unreadable(
                    position, Text.of("saga.definition.yaml-because", "problem", String.valueOf(e.getProblem())));
        } catch (YamlEngineException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw ValidationErrors.unreadable(SourcePosition.START, Text.of("saga.definition.yaml-characters"));
        }
    }

    private SourceNode document() {
        var event = skipTo(Event.ID.DocumentStart, Event.ID.StreamEnd);
        if (event.getEventId() == Event.ID.StreamEnd) {
            throw ValidationErrors.unreadable(SourcePosition.START, Text.of("saga.definition.empty"));
        }
        var root = node(events.next(), 0);
        var end = skipTo(Event.ID.DocumentStart, Event.ID.StreamEnd);
        if (end.getEventId() == Event.ID.DocumentStart) {
            throw ValidationErrors.unreadable(position(end), Text.of("saga.definition.documents"));
        }
        return root;
    }

    private Event skipTo(Event.ID one, Event.ID other) {
        var event = events.next();
        while (event.getEventId() != one && event.getEventId() != other) {
            event = events.next();
        }
        return event;
    }

    private SourceNode node(Event event, int depth) {
        if (depth > SourceNode.MAX_DEPTH) {
            throw ValidationErrors.unreadable(position(event), Text.of("saga.definition.depth"));
        }
        refuseAnchor(event);
        return switch (event) {
            case ScalarEvent scalar -> scalar(scalar);
            case MappingStartEvent start -> fields(position(start), depth);
            case CollectionStartEvent start -> items(position(start), depth);
            default -> throw ValidationErrors.unreadable(position(event), Text.of("saga.definition.yaml"));
        };
    }

    private static void refuseAnchor(Event event) {
        var tag = switch (event) {
            case ScalarEvent scalar -> scalar.getTag();
            case CollectionStartEvent start -> start.getTag();
            default -> Optional.<String>empty();
        };
        if (tag.isPresent()) {
            throw ValidationErrors.unreadable(position(event), Text.of("saga.definition.tag"));
        }
        if (event instanceof AliasEvent
                || (event instanceof NodeEvent node && node.getAnchor().isPresent())) {
            throw ValidationErrors.unreadable(position(event), Text.of("saga.definition.anchor"));
        }
    }

    private Scalar scalar(ScalarEvent event) {
        var value = event.isPlain() ? Scalars.plain(event.getValue()) : Scalars.text(event.getValue());
        if (!StorableJson.isStorable(value)) {
            throw ValidationErrors.unreadable(position(event), Text.of("saga.field.storable-json"));
        }
        return new Scalar(position(event), value);
    }

    private Items items(SourcePosition position, int depth) {
        var items = new ArrayList<SourceNode>();
        for (var event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            items.add(node(event, depth + 1));
        }
        return new Items(position, items);
    }

    private Fields fields(SourcePosition position, int depth) {
        var fields = new LinkedHashMap<String, Field>();
        for (var event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            refuseAnchor(event);
            if (!(event instanceof ScalarEvent key) || !StorableJson.isStorable(key.getValue())) {
                throw ValidationErrors.unreadable(position(event), Text.of("saga.definition.key"));
            }
            var value = node(events.next(), depth + 1);
            if (fields.putIfAbsent(key.getValue(), new Field(position(key), value)) != null) {
                errors.add(position(key), key.getValue(), Text.of("saga.definition.duplicate-key"));
            }
        }
        return new Fields(position, fields);
    }

    private static SourcePosition position(Event event) {
        return event.getStartMark()
                .map(mark -> SourcePosition.ofLine(mark.getLine() + 1))
                .orElse(SourcePosition.START);
    }
}
