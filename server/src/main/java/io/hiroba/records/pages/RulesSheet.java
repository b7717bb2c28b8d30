package io.hiroba.records.pages;

import java.util.List;

/**
 * Who sees what of a schema's records, in its editor.
 *
 * @param texts the attributes that can be compared with something of the reader's
 */
public record RulesSheet(ProjectHead project, String schema, String path, List<String> attributes, List<String> texts) {

    public RulesSheet {
        attributes = List.copyOf(attributes);
        texts = List.copyOf(texts);
    }
}
