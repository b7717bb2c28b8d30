package io.hiroba.records.pages;

import io.hiroba.records.ProjectId;
import io.hiroba.records.RowId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Paths of the pages of records. Pages that belong to no schema are below {@code -}, which cannot be a schema's name.
 */
final class RecordPaths {

    static final String ALL = "/records";

    /** The route patterns. */
    static final String PROJECT = ALL + "/{project}";

    static final String SCHEMA = PROJECT + "/{schema}";
    static final String RECORD = SCHEMA + "/{row}";

    private RecordPaths() {}

    static String project(ProjectId project) {
        return ALL + "/" + project.hex();
    }

    /** A section of a project's pages, such as its members. */
    static String part(ProjectId project, String part) {
        return project(project) + "/-/" + part;
    }

    static String schema(ProjectId project, String schema) {
        return project(project) + "/" + encoded(schema);
    }

    static String record(ProjectId project, String schema, RowId row) {
        return schema(project, schema) + "/" + row;
    }

    /** A file, which the API sends to whoever may read it. */
    static String attachment(ProjectId project, String id) {
        return "/api/v1/projects/" + project.hex() + "/attachments/" + id;
    }

    /** Encodes a value for a path or a query. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
