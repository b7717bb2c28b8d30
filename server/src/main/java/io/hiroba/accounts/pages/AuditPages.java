package io.hiroba.accounts.pages;

import io.hiroba.accounts.AuditEntry;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Person;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The admin page of the audit log, with filters. */
public final class AuditPages implements Routes {

    private static final String PATH = "/admin/audit";
    private static final int PAGE_SIZE = 50;

    private final Shell shell;
    private final Readers readers;
    private final AuditLog audit;
    private final Users users;
    private final KeysetList<AuditEntry, Long> list;

    AuditPages(Shell shell, Readers readers, AuditLog audit, Users users, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.audit = audit;
        this.users = users;
        this.list = new KeysetList<>(
                cursors, "pages.audit", cursor -> cursor.number(0), last -> Cursor.of(Long.toString(last.id())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::show);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var reader = readers.reader(ctx);
        var filters = new Filters(ctx, reader);
        var request = PageRequest.of(ctx, PAGE_SIZE, PAGE_SIZE);
        filters.read();
        var page = filters.form.hasErrors()
                ? new Page<AuditEntry>(List.of(), null)
                : list.page(request, (before, limit) -> audit.list(caller, filters.absolute, before, limit));
        var next = page.next();
        var view = new AuditView(
                filters.form,
                choices(reader, Action.values(), Action::code, "accounts.audit-action."),
                choices(reader, TargetKind.values(), TargetKind::code, "accounts.audit-kind."),
                page.items().stream().map(entry -> AuditRow.of(entry, reader)).toList(),
                query(filters.typed),
                "/api/v1/audit/export?" + query(filters.absolute),
                request.after().isPresent(),
                next == null ? null : PATH + "?" + query(filters.typed) + "after=" + next);
        shell.page(ctx, Text.of("accounts.audit"), "accounts/admin-audit", Map.of("audit", view));
    }

    private static <E> List<FilterChoice> choices(Reader reader, E[] all, Function<E, String> code, String messages) {
        return Arrays.stream(all)
                .map(code)
                .map(value -> new FilterChoice(value, reader.text(messages + value)))
                .sorted(Comparator.comparing(FilterChoice::label, reader.nameOrder()))
                .toList();
    }

    /** The link to the entries that a filter leaves. */
    static String only(String filter, String value) {
        return PATH + "?" + query(Map.of(filter, value));
    }

    private static String query(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8) + "&")
                .collect(Collectors.joining());
    }

    /** The filters that were typed, as typed and as the API takes them; those that cannot be read are errors of the form. */
    private final class Filters {

        private final Reader reader;
        private final Map<String, String> typed = new LinkedHashMap<>();
        private final Map<String, String> absolute = new LinkedHashMap<>();
        private Form form;

        Filters(Context ctx, Reader reader) {
            this.reader = reader;
            for (var name : List.of("actor", "subject", "action", "targetKind", "targetId", "address", "from", "to")) {
                var value = Optional.ofNullable(ctx.queryParam(name)).orElse("").strip();
                if (!value.isEmpty() && value.indexOf('\0') < 0) {
                    typed.put(name, value);
                }
            }
            form = Form.filled(typed);
        }

        void read() {
            person("actor");
            person("subject");
            find("action", Action::find, Action::code);
            find("targetKind", TargetKind::find, TargetKind::code);
            find("targetId", Optional::of, text -> text);
            find("address", Optional::of, text -> text);
            time("from");
            time("to");
        }

        private void person(String name) {
            if (!find(name, this::account, UserId::hex)) {
                form = form.withError(name, Text.of("accounts.field.no-account"));
            }
        }

        private Optional<UserId> account(String text) {
            if (Ids.isId(text)) {
                return Optional.of(UserId.parse(text));
            }
            try {
                return users.findByEmail(Email.parse(text));
            } catch (Problem e) {
                return Optional.empty();
            }
        }

        private void time(String name) {
            if (!find(name, reader::parse, Instant::toString)) {
                form = form.withError(name, Text.of("accounts.field.local-time"));
            }
        }

        /** False if something was typed that is nothing. */
        private <T> boolean find(String name, Function<String, Optional<T>> find, Function<T, String> text) {
            var value = Optional.ofNullable(typed.get(name)).flatMap(find);
            value.ifPresent(found -> absolute.put(name, text.apply(found)));
            return value.isPresent() || !typed.containsKey(name);
        }
    }

    /** A value of a filter to choose. */
    public record FilterChoice(String value, String label) {}

    /**
     * The view of the page.
     *
     * @param query the filters, empty if there are none
     * @param export where the same entries are exported
     * @param isOlder whether this is not the first page
     * @param more the next page, if there is one
     */
    public record AuditView(
            Form form,
            List<FilterChoice> actions,
            List<FilterChoice> kinds,
            List<AuditRow> rows,
            String query,
            String export,
            boolean isOlder,
            @Nullable String more) {}

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
        public record PersonLink(
                String name, String id, @Nullable String path, String only) {

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
                    Action.find(entry.code())
                            .map(action -> name(action, reader))
                            .orElse(entry.code()),
                    entry.code().equals(Action.LOG_IN_FAILED.code()),
                    reader.dateTime(entry.at()),
                    reader.exact(entry.at()),
                    who(entry, actor, actingAs, reader),
                    actor,
                    actingAs,
                    subject,
                    kind(entry, reader),
                    target(entry, subject),
                    path(entry),
                    targetId == null ? null : only("targetId", targetId),
                    address,
                    address == null ? null : only("address", address),
                    agent == null ? null : reader.text(Device.name(agent)),
                    agent,
                    entry.via() == null ? null : reader.text("accounts.audit-via." + entry.via()),
                    entry.requestId(),
                    differences(entry));
        }

        private static String name(Action action, Reader reader) {
            return reader.text("accounts.audit-action." + action.code());
        }

        private static @Nullable String kind(AuditEntry entry, Reader reader) {
            var code = entry.kind();
            return code != null && TargetKind.find(code).isPresent()
                    ? reader.text("accounts.audit-kind." + code)
                    : code;
        }

        private static String who(
                AuditEntry entry, @Nullable PersonLink actor, @Nullable PersonLink actingAs, Reader reader) {
            if (actor == null) {
                return reader.text(entry.address() == null ? "accounts.audit-server" : "accounts.audit-not-signed-in");
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
            var name = entry.detail();
            if (id == null || kind == null || entry.code().endsWith("-deleted")) {
                return null;
            }
            var encoded = encoded(id);
            return switch (kind) {
                case "user" -> about == null || about.nickname() == null ? null : "/users/" + encoded;
                case "saga" -> "/sagas/" + encoded;
                case "workflow" -> "/workflows/" + encoded;
                case "service" -> "/sagas/services";
                case "connection" -> "/inbox/connections/" + encoded;
                case "project" -> "/records/" + encoded;
                case "source" -> "/knowledge/sources/" + encoded;
                case "chat-session" ->
                    about == null || name == null
                            ? null
                            : "/knowledge/sessions/" + encoded(name) + "?owner=" + about.id();
                case "post" -> "/posts/" + encoded;
                default -> null;
            };
        }

        private static String encoded(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        }

        private static List<FieldDifference> differences(AuditEntry entry) {
            var before = values(entry.before());
            var after = values(entry.after());
            var names = new LinkedHashSet<String>(before.propertyNames());
            names.addAll(after.propertyNames());
            var differences = new ArrayList<FieldDifference>();
            names.forEach(name ->
                    differences.add(new FieldDifference(name, text(before.path(name)), text(after.path(name)))));
            return differences;
        }

        private static JsonNode values(@Nullable String json) {
            return json == null
                    ? Json.mapper().createObjectNode()
                    : Json.mapper().readTree(json);
        }

        private static String text(JsonNode value) {
            return value.isMissingNode() ? "" : value.isString() ? value.asString() : value.toString();
        }
    }
}
