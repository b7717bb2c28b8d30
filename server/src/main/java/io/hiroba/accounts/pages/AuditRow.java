package io.hiroba.accounts.pages;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.AuditEntry;
import io.hiroba.accounts.AuditLog.Person;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.id.Ids;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The view of an entry of the audit log.
 *
 * @param who the person, and as whom
 * @param actor null if nobody was signed in
 * @param kind the kind of the target, if there is one
 * @param target its name
 * @param targetPath its page, if it has one
 * @param via how the caller was authenticated, if they were
 */
public record AuditRow(
        String id,
        String action,
        boolean isFailure,
        String when,
        String exact,
        String who,
        @Nullable PersonLink actor,
        @Nullable PersonLink actingAs,
        @Nullable PersonLink subject,
        @Nullable String kind,
        @Nullable String target,
        @Nullable String targetPath,
        @Nullable String onlyTarget,
        @Nullable String address,
        @Nullable String onlyAddress,
        @Nullable String device,
        @Nullable String agent,
        @Nullable String via,
        @Nullable String requestId,
        List<FieldDifference> differences) {

    /** A person with the link to their profile, if the account exists, and to the entries of what they did. */
    public record PersonLink(String name, String id, @Nullable String path, String only) {

        static @Nullable PersonLink of(@Nullable Person person, Reader reader) {
            if (person == null) {
                return null;
            }
            var id = person.id().hex();
            var nickname = person.nickname();
            return new PersonLink(
                    nickname == null ? reader.text("accounts.audit-deleted-account") : nickname,
                    id,
                    nickname == null ? null : "/users/" + id,
                    AuditPages.only("actor", id));
        }
    }

    /** A changed field; empty where it was not or is no more. */
    public record FieldDifference(String field, String before, String after) {}

    static AuditRow of(AuditEntry entry, Reader reader) {
        var actor = PersonLink.of(entry.by(), reader);
        var actingAs = PersonLink.of(entry.as(), reader);
        var subject = PersonLink.of(entry.about(), reader);
        var targetId = entry.targetId();
        var address = entry.address();
        var agent = entry.agent();
        return new AuditRow(
                Ids.hex(entry.id()),
                reader.text("accounts.audit-action." + entry.action().code()),
                entry.action() == Action.LOG_IN_FAILED,
                reader.dateTime(entry.at()),
                reader.exact(entry.at()),
                who(entry, actor, actingAs, reader),
                actor,
                actingAs,
                subject,
                entry.kind() == null ? null : reader.text("accounts.audit-kind." + entry.kind()),
                target(entry, subject),
                path(entry),
                targetId == null ? null : AuditPages.only("targetId", targetId),
                address,
                address == null ? null : AuditPages.only("address", address),
                agent == null ? null : reader.text(Device.name(agent)),
                agent,
                entry.via() == null ? null : reader.text("accounts.audit-via." + entry.via()),
                entry.requestId(),
                differences(entry));
    }

    private static String who(
            AuditEntry entry, @Nullable PersonLink actor, @Nullable PersonLink actingAs, Reader reader) {
        if (actor == null) {
            return reader.text(
                    entry.address() == null ? "accounts.audit-server" : "accounts.audit-not-signed-in");
        }
        return actingAs == null
                ? actor.name()
                : reader.text("accounts.audit-as", "actor", actor.name(), "user", actingAs.name());
    }

    private static @Nullable String target(AuditEntry entry, @Nullable PersonLink subject) {
        if (entry.detail() != null) {
            return entry.detail();
        }
        return "user".equals(entry.kind()) && subject != null ? subject.name() : entry.targetId();
    }

    private static @Nullable String path(AuditEntry entry) {
        var id = entry.targetId();
        var kind = entry.kind();
        var about = entry.about();
        if (id == null || kind == null) {
            return null;
        }
        var encoded = URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        return switch (kind) {
            case "user" -> about == null || about.nickname() == null ? null : "/users/" + encoded;
            case "saga" -> "/sagas/" + encoded;
            case "workflow" -> "/workflows/" + encoded;
            case "service" -> "/sagas/services";
            case "connection" -> "/inbox/connections/" + encoded;
            case "project" -> "/records/" + encoded;
            case "source" -> "/knowledge/sources/" + encoded;
            case "chat-session" ->
                about == null
                        ? null
                        : "/knowledge/sessions/%s?owner=%s"
                                .formatted(encoded, about.id().hex());
            case "post" -> "/posts/" + encoded;
            default -> null;
        };
    }

    private static List<FieldDifference> differences(AuditEntry entry) {
        var before = values(entry.before());
        var after = values(entry.after());
        var names = new LinkedHashSet<String>(before.propertyNames());
        names.addAll(after.propertyNames());
        var differences = new ArrayList<FieldDifference>();
        names.forEach(
                name -> differences.add(new FieldDifference(name, text(before.path(name)), text(after.path(name)))));
        return differences;
    }

    private static JsonNode values(@Nullable String json) {
        return json == null ? Json.mapper().createObjectNode() : Json.mapper().readTree(json);
    }

    private static String text(JsonNode value) {
        return value.isMissingNode() ? "" : value.isString() ? value.asString() : value.toString();
    }
}
