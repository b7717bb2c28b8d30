package io.hiroba.records.transfer;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.export.ExportLineStore;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.Projects;
import io.hiroba.records.Schemas;
import io.hiroba.records.query.RecordQuery;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The projects of a person in an export: all memberships, their saved queries, and of projects they own the members and every record. */
final class RecordExport {

    private static final int PAGE = 100;

    private final ExportPart.Content savedQueries;
    private final Projects projects;
    private final Schemas schemas;
    private final Exports exports;

    RecordExport(Db db, Projects projects, Schemas schemas, Exports exports) {
        this.savedQueries =
                ExportLineStore.content(db, List.of(SavedQueryExportStore.QUERIES, SavedQueryExportStore.VIEWS));
        this.projects = projects;
        this.schemas = schemas;
        this.exports = exports;
    }

    ExportPart part() {
        return new ExportPart("records", Text.of("records.export-part"), this::write);
    }

    private void write(long user, ExportPart.Folder folder) throws IOException {
        // Never as an admin: what somebody may see in that capacity is not theirs.
        var caller = new Caller(new UserId(user), false, new Caller.ByServer(), null);
        var owned = new ArrayList<ProjectId>();
        var list = folder.begin("projects.jsonl");
        long before = Long.MAX_VALUE;
        List<Projects.Membership> page;
        do {
            page = projects.list(caller, before, PAGE);
            for (var membership : page) {
                var project = membership.project();
                line(list, Map.of("id", project.id().hex(), "name", project.name(), "role", word(membership.role())));
                before = project.id().value();
                if (membership.role() == ProjectRole.OWNER) {
                    owned.add(project.id());
                }
            }
        } while (page.size() == PAGE);
        var members = folder.begin("members.jsonl");
        for (var project : owned) {
            unlessGone(() -> writeMembers(caller, project, members));
        }
        savedQueries.write(user, folder);
        for (var project : owned) {
            unlessGone(() -> writeRecords(projects.access(caller, project), folder));
        }
    }

    private void writeMembers(Caller caller, ProjectId project, OutputStream out) throws IOException {
        long after = 0;
        List<Projects.Member> page;
        do {
            page = projects.members(caller, project, after, PAGE);
            for (var member : page) {
                line(
                        out,
                        Map.of(
                                "projectId",
                                project.hex(),
                                "userId",
                                member.user().hex(),
                                "role",
                                word(member.role())));
                after = member.user().value();
            }
        } while (page.size() == PAGE);
    }

    private void writeRecords(ProjectAccess access, ExportPart.Folder folder) throws IOException {
        var project = access.project().id();
        for (var schema : schemas.list(access)) {
            var style = new Exports.Style(FileFormat.JSONL, true, true);
            var export = exports.begin(access.caller(), project, RecordQuery.all(schema.name()), style);
            export.writeTo(folder.begin(project.hex() + "/" + schema.name() + ".jsonl"));
        }
    }

    private static void line(OutputStream out, Map<String, String> values) throws IOException {
        out.write(Json.mapper().writeValueAsBytes(values));
        out.write('\n');
    }

    private static String word(ProjectRole role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    private interface Writing {
        void run() throws IOException;
    }

    /** A project or schema may be deleted, or its owner leave it, while the archive is written. */
    private static void unlessGone(Writing writing) throws IOException {
        try {
            writing.run();
        } catch (Problem e) {
            if (e.kind() != Problem.Kind.NOT_FOUND && e.kind() != Problem.Kind.FORBIDDEN) {
                throw e;
            }
        }
    }
}
