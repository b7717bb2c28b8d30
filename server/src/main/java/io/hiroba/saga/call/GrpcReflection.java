package io.hiroba.saga.call;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the services of a gRPC server by the protocol of server reflection. */
final class GrpcReflection {

    /** Each answer of the protocol is for one request, so each request is a stream of its own. */
    private static final MethodDescriptor<ServerReflectionRequest, ServerReflectionResponse> V1 =
            ServerReflectionGrpc.getServerReflectionInfoMethod().toBuilder()
                    .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                    .build();

    /** The older name of the same messages. */
    private static final MethodDescriptor<ServerReflectionRequest, ServerReflectionResponse> V1_ALPHA = V1.toBuilder()
            .setFullMethodName("grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
            .build();

    private static final int MAX_FILES = 1000;

    private final Channel channel;
    private final CallOptions options;

    GrpcReflection(Channel channel, CallOptions options) {
        this.channel = channel;
        this.options = options;
    }

    /** The full names of the services. */
    List<String> services() {
        var answer =
                ask(ServerReflectionRequest.newBuilder().setListServices("").build());
        return answer.getListServicesResponse().getServiceList().stream()
                .map(ServiceResponse::getName)
                .toList();
    }

    /** The file that declares {@code symbol}, with all that it imports. */
    FileDescriptor fileOf(String symbol) {
        var files = new HashMap<String, FileDescriptorProto>();
        var first = keep(
                        ask(ServerReflectionRequest.newBuilder()
                                .setFileContainingSymbol(symbol)
                                .build()),
                        files)
                .getFirst();
        return built(first, files, new HashMap<>(), new HashSet<>());
    }

    private FileDescriptor built(
            FileDescriptorProto file,
            Map<String, FileDescriptorProto> files,
            Map<String, FileDescriptor> built,
            Set<String> open) {
        var ready = built.get(file.getName());
        if (ready != null) {
            return ready;
        }
        if (!open.add(file.getName()) || open.size() > MAX_FILES) {
            throw unusable("imports go in a circle or have no end");
        }
        var imports = file.getDependencyList().stream()
                .map(name -> built(file(name, files), files, built, open))
                .toArray(FileDescriptor[]::new);
        try {
            var descriptor = FileDescriptor.buildFrom(file, imports);
            built.put(file.getName(), descriptor);
            return descriptor;
        } catch (DescriptorValidationException e) {
            throw unusable(String.valueOf(e.getMessage()));
        }
    }

    /** Some servers send a file with its imports, others one file at a time. */
    private FileDescriptorProto file(String name, Map<String, FileDescriptorProto> files) {
        var known = files.get(name);
        return known != null
                ? known
                : keep(
                                ask(ServerReflectionRequest.newBuilder()
                                        .setFileByFilename(name)
                                        .build()),
                                files)
                        .getFirst();
    }

    private static List<FileDescriptorProto> keep(
            ServerReflectionResponse answer, Map<String, FileDescriptorProto> files) {
        var parsed = answer.getFileDescriptorResponse().getFileDescriptorProtoList().stream()
                .map(bytes -> {
                    try {
                        return FileDescriptorProto.parseFrom(bytes);
                    } catch (InvalidProtocolBufferException e) {
                        throw unusable(String.valueOf(e.getMessage()));
                    }
                })
                .toList();
        if (parsed.isEmpty()) {
            throw unusable("no file came");
        }
        parsed.forEach(file -> files.put(file.getName(), file));
        return parsed;
    }

    private ServerReflectionResponse ask(ServerReflectionRequest request) {
        ServerReflectionResponse answer;
        try {
            answer = ask(V1, request);
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Status.Code.UNIMPLEMENTED) {
                throw e;
            }
            answer = ask(V1_ALPHA, request);
        }
        if (answer.hasErrorResponse()) {
            throw Status.fromCodeValue(answer.getErrorResponse().getErrorCode())
                    .withDescription(answer.getErrorResponse().getErrorMessage())
                    .asRuntimeException();
        }
        return answer;
    }

    private ServerReflectionResponse ask(
            MethodDescriptor<ServerReflectionRequest, ServerReflectionResponse> method,
            ServerReflectionRequest request) {
        var answers = ClientCalls.blockingServerStreamingCall(channel, method, options, request);
        if (!answers.hasNext()) {
            throw unusable("no answer came");
        }
        var answer = answers.next();
        while (answers.hasNext()) {
            answers.next();
        }
        return answer;
    }

    private static StatusRuntimeException unusable(String why) {
        return Status.DATA_LOSS
                .withDescription("what reflection says is of no use: " + why)
                .asRuntimeException();
    }
}
