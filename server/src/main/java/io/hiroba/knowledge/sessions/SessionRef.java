package io.hiroba.knowledge.sessions;

import io.hiroba.accounts.UserId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** A reference to a session: keys are unique per owner. */
public record SessionRef(UserId owner, SessionKey key) {

    /** The session's page, for everybody who may read it. */
    public String path() {
        return "/knowledge/sessions/%s?owner=%s"
                .formatted(URLEncoder.encode(key.text(), StandardCharsets.UTF_8).replace("+", "%20"), owner.hex());
    }
}
