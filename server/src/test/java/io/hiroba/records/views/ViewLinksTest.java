package io.hiroba.records.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Views behind links that anybody can open. */
class ViewLinksTest {

    private static final String TASK = """
                {'name': 'task', 'attributes': [
                    {'name': 'name', 'type': 'text', 'required': true},
                    {'name': 'state', 'type': 'text', 'options': [
                        {'value': 'todo', 'color': 'gray'}, {'value': 'done', 'title': 'Done', 'color': 'green'}]},
                    {'name': 'hours', 'type': 'numeric'},
                    {'name': 'due', 'type': 'date'},
                    {'name': 'secret', 'type': 'text'},
                    {'name': 'extra', 'type': 'text'}]}
            """;

    private static Square square;
    private static ApiClient owner;
    private static ApiClient editor;
    private static ApiClient viewer;
    private static Square.Person person;
    private static ApiClient stranger;
    private static String kim;
    private static String project;
    private static String schema;
    private static String views;

    @BeforeAll
    static void start() {
        square = new Square();
        owner = square.person("Owner").api();
        person = square.person("Kim");
        kim = person.id();
        var lee = square.person("Lee");
        editor = person.api();
        viewer = lee.api();
        stranger = square.person("Stranger").api();
        project = "/api/v1/projects/"
                + owner.post("/api/v1/projects", "{'name': 'Shop'}").text("id");
        owner.put(project + "/members/" + kim, "{'role': 'editor'}");
        owner.put(project + "/members/" + lee.id(), "{'role': 'viewer'}");
        assertThat(owner.post(project + "/schemas", TASK).outcome()).isEqualTo("201");
        owner.put(project + "/schemas/task/rules", "{'hidden': ['secret'], 'readOnly': []}");
        assertThat(owner.post(project + "/records/task", """
                [{'name': 'a', 'state': 'todo', 'hours': 3, 'secret': 'x'},
                 {'name': 'b', 'state': 'done', 'hours': 5},
                 {'name': 'c', 'state': 'todo', 'hours': 1, 'secret': 'y'}]
                """).status()).isEqualTo(201);
        schema = project + "/schemas/task";
        views = schema + "/views";
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    @Test
    void aLinkShowsWhatItsSharerMayReadNowAndNothingElse() {
        var made = editor.post(views, """
                {'name': 'For all', 'visibility': 'project', 'filter': {'attr': 'state', 'value': 'todo'},
                 'columns': [{'attribute': 'hours', 'hidden': true}]}
                """);
        var links = views + "/" + made.text("id") + "/links";
        assertThat(viewer.post(links, "{}").outcome()).isEqualTo("403 records.editors-only");
        assertThat(stranger.post(links, "{}").status()).isEqualTo(404);
        assertThat(editor.post(links, "{'expiresAt': '2020-01-01T00:00:00Z'}").outcome())
                .isEqualTo("400 records.invalid");
        var link = editor.post(links, "{}");
        assertThat(link.outcome()).as(link.body()).isEqualTo("201");
        var path = link.text("path");
        assertThat(editor.get(links).body()).contains(link.text("id")).doesNotContain("/shared/");

        var anybody = square.anonymous();
        var shown = anybody.get(path);
        assertThat(shown.status()).as(shown.body()).isEqualTo(200);
        var page = Jsoup.parse(shown.body());
        assertThat(page.select("thead th").eachText()).contains("name", "state").doesNotContain("hours", "secret");
        assertThat(page.select("tbody tr")).hasSize(2);
        assertThat(page.select("tbody a")).isEmpty();
        assertThat(shown.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(anybody.get(path + "x").status()).isEqualTo(404);
        assertThat(anybody.get("/shared/views/" + "A".repeat(43)).status()).isEqualTo(404);
        assertThat(anybody.sendAs("application/x-www-form-urlencoded", "POST", path + "/submit", "v.name=x")
                        .status())
                .as("it is no form")
                .isEqualTo(404);

        // What becomes hidden from the sharer is not shown any more; without a condition of its filter nothing is.
        owner.put(schema + "/rules", "{'hidden': ['secret', 'due'], 'readOnly': []}");
        assertThat(Jsoup.parse(anybody.get(path).body()).select("thead th").eachText())
                .doesNotContain("due");
        owner.put(schema + "/rules", "{'hidden': ['secret', 'state'], 'readOnly': []}");
        assertThat(anybody.get(path).status()).isEqualTo(404);
        owner.put(schema + "/rules", "{'hidden': ['secret'], 'readOnly': []}");
        assertThat(anybody.get(path).status()).isEqualTo(200);
        // It ends with the role of the sharer, and when it is revoked.
        owner.put(project + "/members/" + kim, "{'role': 'viewer'}");
        assertThat(anybody.get(path).status()).isEqualTo(404);
        owner.put(project + "/members/" + kim, "{'role': 'editor'}");
        assertThat(anybody.get(path).status()).isEqualTo(200);
        square.admin.api().post("/api/v1/users/" + kim + "/suspend", "{}");
        assertThat(anybody.get(path).status()).isEqualTo(404);
        square.admin.api().post("/api/v1/users/" + kim + "/restore", "");
        assertThat(anybody.get(path).status()).isEqualTo(200);
        assertThat(owner.delete(links + "/" + link.text("id")).status()).isEqualTo(204);
        assertThat(square.audited("limit=3")).contains("view-link-revoked");
        assertThat(anybody.get(path).status()).isEqualTo(404);
        assertThat(owner.delete(links + "/" + link.text("id")).status()).isEqualTo(404);
        assertThat(owner.delete(views + "/" + made.text("id")).status()).isEqualTo(204);
    }

    @Test
    void aLinkShowsBoardsCalendarsAndGalleriesAsTheyAreAndChangesNothing() {
        var made = project + "/schemas/meeting";
        owner.post(project + "/schemas", """
                {'name': 'meeting', 'attributes': [{'name': 'topic', 'type': 'text'}, {'name': 'note', 'type': 'text'},
                    {'name': 'state', 'type': 'text', 'enum': ['open', 'over']}, {'name': 'day', 'type': 'date'},
                    {'name': 'host', 'type': 'text', 'format': 'person'}, {'name': 'hours', 'type': 'numeric'}]}
                """);
        owner.post(project + "/records/meeting", """
                [{'topic': 'Budget', 'note': 'confidential', 'state': 'open', 'day': '2026-03-04', 'hours': 3, 'host': '%s'},
                 {'topic': 'Retreat', 'state': 'over', 'day': '2026-03-05', 'hours': 4}]
                """.formatted(kim));
        var columns = "'columns': [{'attribute': 'note', 'hidden': true}, {'attribute': 'hours', 'hidden': true}],";
        var anybody = square.anonymous();

        var board = shown(
                anybody,
                shared(
                        made,
                        "{'name': 'Board', 'kind': 'board', 'visibility': 'project', " + columns
                                + "'sums': [{'attribute': 'hours', 'function': 'sum'}], 'settings': {'by': 'state'}}"));
        assertThat(board.select(".lane > h2 .option").eachText()).contains("open", "over");
        assertThat(board.select(".board-card").eachText()).anyMatch(text -> text.startsWith("Budget"));
        assertThat(board.select(".board form, .board a, .view-bar, .board-card[draggable], [data-card]"))
                .isEmpty();
        assertThat(board.text()).doesNotContain("confidential").doesNotContain("hours");
        var hosts = shown(
                anybody,
                shared(
                        made,
                        "{'name': 'Hosts', 'kind': 'board', 'visibility': 'project', 'settings': {'by': 'host'}}"));
        // Members without a record of it are nobody's business.
        assertThat(hosts.select(".lane")).hasSize(2);

        var calendar = shared(
                made, "{'name': 'Days', 'kind': 'calendar', 'visibility': 'project', 'settings': {'date': 'day'}}");
        var month = shown(anybody, calendar + "?month=2026-03");
        assertThat(month.select("[data-day=2026-03-04] li").text()).isEqualTo("Budget");
        assertThat(month.select("table.month a")).isEmpty();
        assertThat(month.select(".month-bar a").eachAttr("href")).allMatch(path -> path.startsWith(calendar));

        var gallery = shown(
                anybody,
                shared(
                        made,
                        "{'name': 'Cards', 'kind': 'gallery', 'visibility': 'project', " + columns
                                + "'settings': {}}"));
        assertThat(gallery.select(".gallery .card strong").eachText()).containsExactlyInAnyOrder("Budget", "Retreat");
        assertThat(gallery.select(".gallery a")).isEmpty();
        assertThat(gallery.text()).doesNotContain("confidential");
        assertThat(anybody.get(calendar + "/covers/x").status()).isIn(400, 404);
        assertThat(anybody.sendAs("application/x-www-form-urlencoded", "POST", calendar + "/move", "to=x")
                        .status())
                .isIn(404, 405);
        owner.delete(made);
    }

    private static String shared(String schema, String view) {
        var made = editor.post(schema + "/views", view);
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        return editor.post(schema + "/views/" + made.text("id") + "/links", "{}")
                .text("path");
    }

    private static Document shown(ApiClient reader, String path) {
        var reply = reader.get(path);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return Jsoup.parse(reply.body());
    }

    @Test
    void aFormBehindALinkMakesRecordsOfItsFieldsAlone() {
        var made = editor.post(views, """
                {'name': 'Tell us', 'kind': 'form', 'visibility': 'private',
                 'settings': {'fields': [{'attribute': 'name', 'label': 'Your wish'}, {'attribute': 'hours', 'required': true}],
                              'thanks': 'We read it.'}}
                """);
        var view = views + "/" + made.text("id");
        var path = editor.post(view + "/links", "{}").text("path");
        var anybody = square.anonymous();
        var form = Jsoup.parse(anybody.get(path).body());
        assertThat(form.select("[name^=v.]").eachAttr("name")).containsExactly("v.name", "v.hours");
        assertThat(form.select("form.record-form").attr("action")).isEqualTo(path + "/submit");
        assertThat(sent(anybody, path, "v.name=x").status()).isEqualTo(422);
        var twice = sent(anybody, path, "v.name=&v.hours=");
        assertThat(twice.status()).isEqualTo(422);
        assertThat(Jsoup.parse(twice.body()).select(".error")).as(twice.body()).hasSize(2);
        var sent = sent(anybody, path, "v.name=A+wish&v.hours=4&v.state=done&v.extra=no");
        assertThat(sent.status()).as(sent.body()).isEqualTo(303);
        assertThat(anybody.get(sent.header("Location")).body()).contains("We read it.");
        var found = owner.get(project + "/records/task?name=A%20wish").json().path("items");
        assertThat(found).hasSize(1);
        assertThat(found.path(0).path("values").toString())
                .doesNotContain("state")
                .doesNotContain("extra");
        assertThat(found.path(0).path("createdBy").stringValue()).isEqualTo(kim);
        owner.delete(project + "/records/task/" + found.path(0).path("id").stringValue());
        var second = editor.post(view + "/links", "{}").text("path");
        execute("UPDATE records.view_links SET expires_at = now() - interval '1 second'");
        assertThat(anybody.get(second).status()).as("it has expired").isEqualTo(404);
        assertThat(sent(anybody, second, "v.name=x&v.hours=4").status()).isEqualTo(404);
        assertThat(editor.delete(view).status()).isEqualTo(204);
    }

    @Test
    void nobodyWidensWhatTheLinkOfAnotherShows() {
        var sharer = owner.post(views, """
                {'name': 'Ours', 'visibility': 'project', 'filter': {'and': [{'attr': 'state', 'value': 'todo'},
                     {'attr': 'secret', 'value': 'x'}]},
                 'sort': [{'attr': 'secret'}], 'columns': [{'attribute': 'secret', 'hidden': true}]}
                """);
        var view = views + "/" + sharer.text("id");
        var page = "/records/" + project.substring(project.lastIndexOf('/') + 1) + "/task";
        // Who cannot see a condition and a hidden column saves the view with both.
        var kims = signedIn(person);
        assertThat(form(kims, page + "/views/" + sharer.text("id") + "/update?view=" + sharer.text("id"), "version=1")
                        .status())
                .isEqualTo(303);
        var edit = page + "/views/" + sharer.text("id") + "/edit";
        assertThat(form(kims, edit, typed(kims.get(edit))).status()).isEqualTo(303);
        var kept = owner.get(view).json();
        assertThat(kept.path("filter").toString()).contains("secret");
        assertThat(kept.path("sort").toString()).contains("secret");
        assertThat(kept.path("columns").toString()).contains("\"hidden\":true");

        var path = owner.post(view + "/links", "{}").text("path");
        assertThat(patch(editor, view, "{'columns': []}").outcome()).isEqualTo("409 records.view-shared");
        assertThat(patch(owner, view, "{'name': 'Ours alone'}").outcome()).isEqualTo("200");
        // What is added to the schema later was not shared.
        assertThat(owner.put(schema, TASK.replace("]}\n", ", {'name': 'later', 'type': 'text'}]}"))
                        .outcome())
                .isEqualTo("200");
        var heads = Jsoup.parse(square.anonymous().get(path).body())
                .select("thead th")
                .eachText();
        assertThat(heads).contains("name").doesNotContain("later", "secret");
        // Expired links are in nobody's way.
        execute("UPDATE records.view_links SET expires_at = now() - interval '1 second'");
        assertThat(owner.get(view + "/links").json().path("items")).isEmpty();
        assertThat(patch(editor, view, "{'name': 'All of ours'}").outcome()).isEqualTo("200");
        owner.delete(view);
    }

    @Test
    void theNextPageOfALinkTellsNothingOfWhatItIsSortedBy() {
        var rows = IntStream.range(0, 60)
                .mapToObj("{'name': 'n', 'secret': 'hush%d'}"::formatted)
                .collect(Collectors.joining(",", "[", "]"));
        assertThat(owner.post(project + "/records/task", rows).status()).isEqualTo(201);
        var made = owner.post(views, """
                {'name': 'Long', 'visibility': 'project', 'filter': {'attr': 'name', 'value': 'n'},
                 'sort': [{'attr': 'secret'}], 'columns': [{'attribute': 'secret', 'hidden': true}]}
                """);
        var path = owner.post(views + "/" + made.text("id") + "/links", "{}").text("path");
        var anybody = square.anonymous();
        var more =
                Jsoup.parse(anybody.get(path).body()).select("a[href*=after]").attr("href");
        var cursor = more.substring(more.indexOf("after=") + 6);
        assertThat(new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.ISO_8859_1))
                .doesNotContain("hush");
        assertThat(Jsoup.parse(anybody.get(more).body()).select("tbody tr")).hasSize(10);
        assertThat(anybody.get(path + "?after=" + cursor.substring(1)).status()).isEqualTo(400);
        owner.delete(views + "/" + made.text("id"));
    }

    @Test
    void aFormTellsOfValuesThatOthersHaveTogetherWithAllElse() {
        assertThat(owner.post(project + "/schemas", """
                {'name': 'badge', 'attributes': [{'name': 'code', 'type': 'text', 'unique': true},
                    {'name': 'nick', 'type': 'text', 'unique': true}, {'name': 'mail', 'type': 'text', 'format': 'email'},
                    {'name': 'why', 'type': 'text', 'required': true}]}
                """).outcome()).isEqualTo("201");
        owner.post(project + "/records/badge", "{'code': 'A', 'nick': 'ann', 'why': 'x'}");
        var forms = project + "/schemas/badge/views";
        var made = editor.post(forms, "{'name': 'Ask', 'kind': 'form', 'visibility': 'private'}");
        var path = editor.post(forms + "/" + made.text("id") + "/links", "{}").text("path");
        var refused = sent(square.anonymous(), path, "v.code=A&v.nick=ann&v.mail=nowhere&v.why=");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(Jsoup.parse(refused.body()).select("[aria-invalid=true]").eachAttr("name"))
                .as(refused.body())
                .containsExactlyInAnyOrder("v.code", "v.nick", "v.mail", "v.why");
        var taken = sent(square.anonymous(), path, "v.code=A&v.nick=ann&v.mail=a@b.example&v.why=x");
        assertThat(Jsoup.parse(taken.body()).select("[aria-invalid=true]").eachAttr("name"))
                .as(taken.body())
                .containsExactlyInAnyOrder("v.code", "v.nick");
        assertThat(sent(square.anonymous(), path, "v.code=B&v.nick=bob&v.why=x").status())
                .isEqualTo(303);
    }

    @Test
    void theDaysOfALinkAreThoseOfItsSharerWhoeverOpensIt() {
        var east = LocalDate.now(ZoneId.of("Pacific/Kiritimati"));
        owner.post(project + "/records/task", "{'name': 'due', 'due': '%s'}".formatted(east));
        var made = editor.post(views, """
                {'name': 'Today', 'visibility': 'project', 'filter': {'attr': 'due', 'op': 'within', 'value': 'today'}}
                """);
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        assertThat(made.json().path("filter").path("value").asString("")).isEqualTo("today");
        var path = editor.post(views + "/" + made.text("id") + "/links", "{}").text("path");
        // These zones never have the same day.
        live("Pacific/Kiritimati");
        assertThat(Jsoup.parse(square.anonymous().get(path).body()).select("tbody tr"))
                .hasSize(1);
        live("Etc/GMT+12");
        assertThat(Jsoup.parse(square.anonymous().get(path).body()).select("tbody tr"))
                .isEmpty();
        owner.delete(views + "/" + made.text("id"));
    }

    private static void live(String zone) {
        var profile = "{'nickname': 'Kim', 'introduction': '', 'timeZone': '%s'}".formatted(zone);
        assertThat(editor.put("/api/v1/users/" + kim, profile).status()).isEqualTo(200);
    }

    private static ApiClient signedIn(Square.Person person) {
        var session = square.anonymous()
                .post("/api/v1/session", Json.text(Map.of("email", person.email(), "password", person.password())));
        return square.anonymous().cookie(session.cookie()).with("Accept", "text/html");
    }

    /** The form of a page as a browser would send it. */
    private static String typed(Reply page) {
        return Jsoup.parse(page.body()).select("form[action$=/edit]").forms().getFirst().formData().stream()
                .map(each -> each.key() + "=" + URLEncoder.encode(each.value(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private static Reply form(ApiClient who, String path, String form) {
        return who.sendAs("application/x-www-form-urlencoded", "POST", path, form);
    }

    private static void execute(String sql) {
        square.server.database().db().useTransaction(tx -> tx.update(sql).execute());
    }

    private static Reply sent(ApiClient who, String path, String form) {
        return form(who, path + "/submit", form);
    }

    private static Reply patch(ApiClient who, String path, String body) {
        return who.send("PATCH", path, body);
    }
}
