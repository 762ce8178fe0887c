### The requests to the service that get no response.

unreachable = 无法连接服务。连接恢复后请重试。
