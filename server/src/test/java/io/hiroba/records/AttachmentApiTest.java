package io.hiroba.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.ApiClient.Reply;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files of records over HTTP. */
class AttachmentApiTest {

    private static Square square;
    private static Person owner;
    private static String project;

    @BeforeAll
    static void start() {
        square = new Square();
        owner = square.person("Owner");
        project = "/api/v1/projects/"
                + owner.api().post("/api/v1/projects", "{'name': 'Shop'}").text("id");
        assertThat(owner.api()
                        .post(
                                project + "/schemas",
                                "{'name': 'job', 'attributes': [{'name': 'files', 'type': 'jsonb', 'format': 'attachments'}]}")
                        .outcome())
                .isEqualTo("201");
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    private static Reply upload(Person person, String name, String type, String content) {
        var body =
                "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\nContent-Type: %s\r\n\r\n%s\r\n--b--\r\n"
                        .formatted(name, type, content);
        return person.api().sendAs("multipart/form-data; boundary=b", "POST", project + "/attachments", body);
    }

    @Test
    void aFileIsUploadedPutIntoARecordAndDownloadedAsAFile() {
        var made = upload(owner, "evil <b>.html", "text/html", "<script>alert(1)</script>");
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        var file = project + "/attachments/" + made.text("id");
        var record = owner.api().post(project + "/records/job", "{'files': ['%s']}".formatted(made.text("id")));
        assertThat(record.json()
                        .path("values")
                        .path("files")
                        .path(0)
                        .path("name")
                        .asString())
                .isEqualTo("evil <b>.html");
        var sent = owner.api().get(file);
        assertThat(sent.body()).isEqualTo("<script>alert(1)</script>");
        assertThat(sent.header("Content-Type")).startsWith("application/octet-stream");
        assertThat(sent.header("Content-Disposition")).isEqualTo("attachment; filename*=UTF-8''evil%20%3Cb%3E.html");
        assertThat(sent.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(sent.header("Content-Security-Policy")).contains("sandbox");
        assertThat(owner.api().get(file + "/thumbnail").outcome()).isEqualTo("404 records.no-attachment");
        assertThat(owner.api().get(project + "/exports/job").body()).isEqualTo("files\nevil <b>.html\n");
        var stranger = square.person("Stranger");
        assertThat(stranger.api().get(file).status()).isEqualTo(404);
        assertThat(upload(stranger, "a", "text/plain", "x").status()).isEqualTo(404);
        var viewer = square.person("Viewer");
        owner.api().put(project + "/members/" + viewer.id(), "{'role': 'viewer'}");
        assertThat(viewer.api().get(file).status()).isEqualTo(200);
        assertThat(upload(viewer, "a", "text/plain", "x").outcome()).isEqualTo("403 records.editors-only");
        assertThat(owner.api()
                        .put(project + "/schemas/job/rules", "{'hidden': ['files']}")
                        .outcome())
                .isEqualTo("200");
        assertThat(viewer.api().get(file).outcome()).isEqualTo("404 records.no-attachment");
        owner.api().put(project + "/schemas/job/rules", "{'hidden': []}");
        assertThat(owner.api().post(project + "/attachments", "{}").outcome()).isEqualTo("400 records.invalid");
    }

    @Test
    void aPictureThatIsNoneHasNoPreviewButIsKept() {
        var made = upload(owner, "a.png", "image/png", "no picture");
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        assertThat(owner.api()
                        .get(project + "/attachments/" + made.text("id") + "/thumbnail")
                        .outcome())
                .isEqualTo("404 records.no-attachment");
    }
}
