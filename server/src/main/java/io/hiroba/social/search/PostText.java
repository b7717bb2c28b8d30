package io.hiroba.social.search;

import io.hiroba.accounts.UserId;
import io.hiroba.social.PostId;
import java.util.List;

/** What of a post is indexed. */
record PostText(PostId post, UserId owner, String content, List<String> tags) {

    PostText {
        tags = List.copyOf(tags);
    }
}
