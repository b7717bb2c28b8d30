package io.hiroba.platform.http;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A body that is written while its content is read, so that it takes little memory whatever its length. */
@FunctionalInterface
public interface StreamedBody {

    void writeTo(OutputStream out) throws IOException;

    /** Writes the body; a failure ends the connection without the final chunk, since a partial file must not look complete. */
    static void write(Context ctx, StreamedBody body) {
        Logger log = LoggerFactory.getLogger(StreamedBody.class);
        try {
            body.writeTo(ctx.res().getOutputStream());
        } catch (IOException | UncheckedIOException e) {
            log.debug("The reader of {} went away", ctx.path(), e);
        } catch (RuntimeException e) {
            log.error("The body of {} broke off", ctx.path(), e);
            ServletContextRequest.getServletContextRequest(ctx.req())
                    .getConnectionMetaData()
                    .getConnection()
                    .getEndPoint()
                    .close();
        }
    }
}
