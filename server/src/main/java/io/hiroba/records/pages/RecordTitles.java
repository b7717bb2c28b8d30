package io.hiroba.records.pages;

import io.hiroba.platform.problem.Problem;
import io.hiroba.records.Attachments;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordNames;
import io.hiroba.records.RecordView;
import io.hiroba.records.Records;
import io.hiroba.records.RowId;
import io.hiroba.records.SchemaAttribute;
import io.javalin.http.UploadedFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Titles of records: their first text. */
final class RecordTitles {

    private static final int ID_SHOWN = 8;

    private final PageContext context;
    private final Records records;
    private final Attachments attachments;

    RecordTitles(PageContext context, Records records, Attachments attachments) {
        this.context = context;
        this.records = records;
        this.attachments = attachments;
    }

    /** The names of files that the reader uploaded and has not put into a record yet. */
    Map<String, String> uploaded(ProjectAccess access, Collection<String> ids) {
        return attachments.unused(access, ids);
    }

    /** Stores the file of a form; the answer is its id. */
    String upload(ProjectAccess access, UploadedFile file) {
        try (var content = file.content()) {
            return attachments
                    .upload(access, file.filename(), file.contentType(), content)
                    .id();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The title of a record. */
    static String of(RecordAccess recordAccess, RecordView record) {
        return RecordNames.title(recordAccess)
                .map(each -> record.values().get(each.name()))
                .map(JsonNode::asString)
                .filter(text -> !text.isBlank())
                .map(CellFormatter::cut)
                .orElseGet(() -> recordAccess.schema().label() + " " + shortened(record.id()));
    }

    /** The cell of a reference, whose record is looked up. */
    Cell cell(ProjectAccess access, SchemaAttribute reference, @Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return new Cell(reference.name(), reference.label(), "none", "", null, null);
        }
        return reference.isList()
                ? cells(access, reference, value, titles(access, reference, List.of(value), Integer.MAX_VALUE))
                : cell(access, reference, value.asString(), title(access, reference, value.asString()));
    }

    /** The cell of a list of references, by the titles of those that the reader may read; others have their ids. */
    Cell cells(ProjectAccess access, SchemaAttribute reference, JsonNode list, Map<String, String> titles) {
        var target = context.target(access, target(reference));
        var path = RecordPaths.schema(access.project().id(), target.schema().name()) + "/";
        return Cell.of(
                reference,
                "links",
                list.valueStream()
                        .map(JsonNode::asString)
                        .map(id -> new Cell.Item(
                                CellFormatter.cut(titles.getOrDefault(id, shortened(id))),
                                path + RecordPaths.encoded(id),
                                null,
                                null))
                        .toList());
    }

    /** The titles of the first records in {@code lists} that the reader may read, by their ids. */
    Map<String, String> titles(ProjectAccess access, SchemaAttribute reference, Collection<JsonNode> lists, int limit) {
        var ids = lists.stream()
                .flatMap(list -> list.valueStream().limit(limit))
                .map(JsonNode::asString)
                .flatMap(id -> RowId.find(id).stream())
                .collect(Collectors.toSet());
        if (ids.isEmpty()) {
            return Map.of();
        }
        var target = context.target(access, target(reference));
        var titles = new HashMap<String, String>();
        records.find(access, target.schema().name(), ids)
                .records()
                .forEach((id, record) -> titles.put(id, of(target, record)));
        return titles;
    }

    /** The ids in the value of an input with what they are called: people by their nicknames, records by their titles. */
    List<Filter.Choice> chosen(ProjectAccess access, SchemaAttribute attribute, String typed) {
        var ids = typed.lines()
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .distinct()
                .toList();
        var list = JsonNodeFactory.instance.arrayNode();
        ids.forEach(list::add);
        var names = attribute.isPerson()
                ? Map.<String, String>of()
                : titles(access, attribute, List.of(list), Integer.MAX_VALUE);
        return ids.stream()
                .map(id -> new Filter.Choice(
                        id, attribute.isPerson() ? nickname(id).orElse(id) : names.getOrDefault(id, shortened(id))))
                .toList();
    }

    /** A person; empty if they are gone. */
    Optional<Cell.Item> person(String id) {
        return context.person(id);
    }

    /** The nickname of a person; empty if they are gone. */
    Optional<String> nickname(String id) {
        return person(id).map(Cell.Item::text);
    }

    /** The id of the member who is meant by a nickname. */
    String member(ProjectAccess access, String typed) {
        return context.member(access, typed);
    }

    /** The cell of a reference to a record with this title, or to one without a title for the reader. */
    Cell cell(ProjectAccess access, SchemaAttribute reference, String id, Optional<String> title) {
        var target = context.target(access, target(reference));
        return CellFormatter.link(
                reference,
                title.filter(text -> !text.isBlank()).orElseGet(() -> shortened(id)),
                RecordPaths.schema(access.project().id(), target.schema().name()) + "/" + RecordPaths.encoded(id));
    }

    /** The title of the referenced record; empty if the reader may not read it. */
    Optional<String> title(ProjectAccess access, SchemaAttribute reference, String id) {
        if (id.isBlank()) {
            return Optional.empty();
        }
        var target = context.target(access, target(reference));
        try {
            var record = records.get(access, target.schema().name(), RowId.parse(id));
            return Optional.of(of(target, record));
        } catch (Problem refusal) {
            if (refusal.kind() == Problem.Kind.NOT_FOUND) {
                return Optional.empty();
            }
            throw refusal;
        }
    }

    static short target(SchemaAttribute reference) {
        var target = reference.references();
        if (target == null) {
            throw new IllegalArgumentException(reference.name() + " is no reference");
        }
        return target;
    }

    static String shortened(String id) {
        return id.length() <= ID_SHOWN ? id : "…" + id.substring(id.length() - ID_SHOWN);
    }
}
